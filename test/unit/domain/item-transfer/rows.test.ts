import test from 'ava'
import { UnreadableFile } from '#shared/domain/item-transfer/record.ts'
import { createDataWriter } from '#shared/domain/item-transfer/row-data.ts'
import { formatOfName, openCsv, type Row, readCsvRows, readJsonRows } from '#shared/domain/item-transfer/rows.ts'

async function* bytesOf(...parts: (string | Uint8Array)[]) {
  for (const part of parts) yield typeof part === 'string' ? new TextEncoder().encode(part) : part
}

async function all(rows: AsyncIterable<Row>): Promise<Row[]> {
  return Array.fromAsync(rows)
}

test('the extension of a file name decides its format', (t) => {
  const formats = ['a.ndjson', 'b.JSONL', 'c.csv', 'd.tsv', 'e.json', 'f.txt', 'csv'].map(formatOfName)
  t.deepEqual(formats, ['ndjson', 'ndjson', 'csv', 'csv', 'json', null, null])
})

test('rows are counted from 1 and have their lines; errors of JSON name line and column', async (t) => {
  const rows = await all(readJsonRows(bytesOf('{"n":9007199254740993}\n\n{"a":1,"a":2}\n', '[1'), 'ndjson'))
  t.deepEqual(rows, [
    { row: 1, line: 1, data: '{"n":9007199254740993}', errors: [], source: '{"n":9007199254740993}' },
    {
      row: 2,
      line: 3,
      data: null,
      errors: [{ message: 'it is not JSON: a key is repeated in one object (line 3, column 8)' }],
      source: '{"a":1,"a":2}',
    },
    {
      row: 3,
      line: 4,
      data: null,
      errors: [
        { message: 'it is not JSON: it ends where a comma or the end of the array is expected (line 4, column 3)' },
      ],
      source: '[1',
    },
  ])
  const [element] = await all(readJsonRows(bytesOf('[\n {"a":\n  x}]'), 'json'))
  t.like(element?.errors[0], { message: 'it is not JSON: a value is expected here (line 3, column 3)' })
})

test('a byte order mark is not part of the header, and a character may be split in two', async (t) => {
  const text = new TextEncoder().encode('\uFEFFname,ü\nx,1\n')
  const file = await openCsv(bytesOf(text.slice(0, 9), text.slice(9)))
  t.deepEqual(file.header, ['name', 'ü'])
  const columns = file.header.map((name) => ({ name, pointer: `/${name}`, type: 'text' as const }))
  const rows = await all(readCsvRows(file, createDataWriter(columns, 'omit')))
  t.like(rows[0], { row: 1, line: 2, data: '{"name":"x","ü":"1"}' })
})

test('a broken row is reported with its position, and the next one is read', async (t) => {
  const file = await openCsv(bytesOf('a,b\nx"y,1\nz,2\n'))
  const columns = file.header.map((name) => ({ name, pointer: `/${name}`, type: 'text' as const }))
  const rows = await all(readCsvRows(file, createDataWriter(columns, 'omit')))
  t.regex(rows[0]?.errors[0]?.message ?? '', /^a quote is in a field .* \(line 2, column 2\)$/)
  t.is(rows[1]?.data, '{"a":"z","b":"2"}')
})

test('a file in another encoding, and one without a header, cannot be read', async (t) => {
  const latin = bytesOf('a\n', new Uint8Array([0xfc, 0x0a]))
  await t.throwsAsync(all(readJsonRows(latin, 'ndjson')), {
    instanceOf: UnreadableFile,
    message: 'after line 2 the file is not UTF-8; save it as UTF-8',
  })
  await t.throwsAsync(openCsv(bytesOf('\n')), { instanceOf: UnreadableFile, message: /^line 1: the file is empty/ })
})
