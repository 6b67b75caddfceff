import test from 'ava'
import {
  detectFormat,
  openRows,
  type Reading,
  readHead,
  readSample,
  sampleRows,
} from '#services/dashboard/pages/import/import-file.ts'
import type { Row } from '#shared/domain/item-transfer/rows.ts'

const file = (name: string, text: string) => new File([text], name)

const shape = { schema: { properties: { n: { type: 'number' } } }, indexes: [] }

test('the format of a file follows from its name, or else from its beginning', async (t) => {
  const formats = await Promise.all([
    detectFormat(file('a.csv', '[')),
    detectFormat(file('a.txt', ' \n[1]')),
    detectFormat(file('a', '{"n":1}')),
    detectFormat(file('a', 'n,m')),
  ])
  t.deepEqual(formats, ['csv', 'json', 'ndjson', 'csv'])
})

test('only the beginning of a long file is read, and it is known whether that is all', async (t) => {
  const lines = Array.from({ length: 250 }, (_, n) => `{"n":${n}}`)
  const long = await readSample(file('a.ndjson', lines.join('\n')), 'ndjson', shape)
  t.is(long.sample.rows.length, 100)
  t.false(long.sample.isAll)
  const short = await readSample(file('a.ndjson', lines.slice(0, 100).join('\n')), 'ndjson', shape)
  t.true(short.sample.isAll)
})

test('columns are proposed for a sample, and its rows are read as they are mapped', async (t) => {
  const csv = file('a.csv', 'n,m,code\n1,2,007\nx,,b\n')
  const { reading, sample } = await readSample(csv, 'csv', shape)
  t.deepEqual(
    reading.columns.map(({ pointer, type }) => [pointer, type]),
    [
      ['/n', 'number'],
      ['/m', 'number'],
      ['/code', 'text'],
    ],
  )
  const [first, second] = await sampleRows(sample, reading)
  t.is(first?.data, '{"n":1,"m":2,"code":"007"}')
  t.like(second, { data: null, errors: [{ column: 'n', pointer: '/n' }] })
  const changed: Reading = {
    ...reading,
    columns: reading.columns.map((column) => ({ ...column, type: 'text' })),
    empty: 'null',
  }
  t.is((await sampleRows(sample, changed))[1]?.data, '{"n":"x","m":null,"code":"b"}')
})

test("positions of an array that the list's schema names are read as an array", async (t) => {
  const csv = file('a.csv', '/t/1,/t/2\nx,y\n')
  const { reading, sample } = await readSample(csv, 'csv', {
    schema: { properties: { t: { type: 'array' } } },
    indexes: [],
  })
  t.deepEqual(reading.arrays, ['/t'])
  t.is((await sampleRows(sample, reading))[0]?.data, '{"t":[null,"x","y"]}')
  const rows: Row[] = []
  for await (const row of openRows(csv, reading, () => {})) rows.push(row)
  t.is(rows[0]?.data, '{"t":[null,"x","y"]}')
})

test('all rows are read, and the share of the file is reported', async (t) => {
  const text = 'n\n1\n2\n'
  const csv = file('a.csv', text)
  const { reading } = await readSample(csv, 'csv', shape)
  const seen: number[] = []
  const rows: Row[] = []
  for await (const row of openRows(csv, reading, (bytes) => seen.push(bytes))) rows.push(row)
  t.deepEqual(
    rows.map(({ data }) => data),
    ['{"n":1}', '{"n":2}'],
  )
  t.is(seen.at(-1), text.length)
  t.deepEqual(await readHead(csv), { header: ['n'], head: { delimiter: ',', preamble: '', text: 'n\n' } })
})
