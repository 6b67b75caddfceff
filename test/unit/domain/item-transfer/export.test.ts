import test from 'ava'
import { createCsvReader } from '#shared/domain/item-transfer/csv-reader.ts'
import {
  createExportWriter,
  csvItemLine,
  csvLine,
  defaultColumns,
  itemPages,
  memberColumns,
  ndjsonLine,
  parseExportColumn,
  readItemPage,
} from '#shared/domain/item-transfer/export.ts'
import { pick, seeded } from '../../../support/load/random-json.ts'

const item =
  '{"id":"1","tags":["a","b"],"data":{"n":9007199254740993,"title":"a \\"b\\", c","none":null,"o":{"x":[1.0]}}}'

test('a page returns the text of its items, and its cursor', (t) => {
  const page = `{"limit":100,"next":"abc","data":[${item},${item}]}`
  t.deepEqual(readItemPage(page), { items: [item, item], next: 'abc' })
  t.deepEqual(readItemPage('{"limit":100,"next":null,"data":[]}'), { items: [], next: null })
})

test('a line of NDJSON is the data of an item, or the whole item, as it is stored', (t) => {
  t.is(ndjsonLine(item, { whole: true }), `${item}\n`)
  t.is(ndjsonLine('{"id":"1","data":{"n":1e400}}', { whole: false }), '{"n":1e400}\n')
})

test('cells are texts, JSON, or empty for null and for missing values', (t) => {
  const columns = ['id', '/n', '/title', '/none', '/missing', '/o', 'tags']
  t.is(csvItemLine(item, columns), '1,9007199254740993,"a ""b"", c",,,"{""x"":[1.0]}","[""a"",""b""]"\r\n')
})

test('columns are pointers, or fields of items by their names', (t) => {
  t.deepEqual(['/a', 'id', 'data'].map(parseExportColumn), ['/a', 'id', 'data'])
  t.throws(() => parseExportColumn('/~'))
  t.throws(() => parseExportColumn('title'), {
    message: /^"title" is neither a JSON Pointer, such as \/title, nor one of data, id, /,
  })
})

test('the members of data are columns, in the order in which they occur', (t) => {
  const items = ['{"data":{"b":1,"a/c":2}}', '{"data":{"a":1,"b":2}}', '{"data":[1]}']
  t.deepEqual(memberColumns(items), ['/b', '/a~1c', '/a', 'data'])
})

test('without given columns they are the properties of the schema, and the members of the first items', (t) => {
  const schema = { properties: { title: {}, b: {} } }
  t.deepEqual(defaultColumns(schema, ['{"data":{"b":1,"c":1}}']), ['/title', '/b', '/c'])
  t.deepEqual(defaultColumns(null, []), [])
})

test('pages are requested by cursor, up to the last', async (t) => {
  const asked: string[] = []
  const pages = itemPages(async (after) => {
    asked.push(after)
    return `{"limit":1,"next":${after === '' ? '"x"' : 'null'},"data":[1]}`
  })
  t.deepEqual(await Array.fromAsync(pages), [['1'], ['1']])
  t.deepEqual(asked, ['', 'x'])
})

test('a file of items has a header if it is CSV, and counts the items that it does not show whole', (t) => {
  const items = ['{"id":"1","data":{"a":{"x":1}}}', '{"id":"2","data":{"a":{},"b":2}}']
  const csv = createExportWriter('csv', ['id', '/a/x'])
  t.is(csv.head + csv.lines(items), 'id,/a/x\r\n1,1\r\n2,\r\n')
  t.is(csv.incomplete(), 1)
  t.is(createExportWriter('csv', ['data']).lines(items), '"{""a"":{""x"":1}}"\r\n"{""a"":{},""b"":2}"\r\n')
  t.is(createExportWriter('items', []).lines(items), `${items.join('\n')}\n`)
  t.is(createExportWriter('ndjson', []).lines(items), '{"a":{"x":1}}\n{"a":{},"b":2}\n')
})

test('any cells are read back from their line', (t) => {
  const random = seeded(5)
  const parts = ['a', ' ', ',', ';', '\t', '"', '\n', '\r\n', '\r', 'ü', ''] as const
  for (let n = 0; n < 1_000; n++) {
    const cells = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
      Array.from({ length: Math.floor(random() * 4) }, () => pick(random, parts)).join(''),
    )
    const reader = createCsvReader({ delimiter: ',' })
    const records = [...reader.push(csvLine(cells) + csvLine(['end'])), ...reader.end()]
    t.deepEqual(
      records.map((record) => 'fields' in record && record.fields),
      [cells, ['end']],
    )
  }
})
