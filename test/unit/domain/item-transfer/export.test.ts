import test from 'ava'
import { createCsvReader } from '#shared/domain/item-transfer/csv-reader.ts'
import {
  csvItemLine,
  csvLine,
  memberColumns,
  ndjsonLine,
  parseExportColumn,
  readItemPage,
} from '#shared/domain/item-transfer/export.ts'
import { pick, seeded } from '../../../support/load/random-json.ts'

const item =
  '{"id":"1","tags":["a","b"],"data":{"n":9007199254740993,"title":"a \\"b\\", c","none":null,"o":{"x":[1.0]}}}'

test('a page gives the text of its items, and its cursor', (t) => {
  const page = `{"limit":100,"next":"abc","data":[${item},${item}]}`
  t.deepEqual(readItemPage(page), { items: [item, item], next: 'abc' })
  t.deepEqual(readItemPage('{"limit":100,"next":null,"data":[]}'), { items: [], next: null })
})

test('a line of NDJSON is the data of an item, or all of it, as it is stored', (t) => {
  t.is(ndjsonLine(item, { whole: true }), `${item}\n`)
  t.is(ndjsonLine('{"id":"1","data":{"n":1e400}}', { whole: false }), '{"n":1e400}\n')
})

test('cells are texts, JSON, or empty for null and for what is not there', (t) => {
  const columns = ['id', '/n', '/title', '/none', '/missing', '/o', 'tags']
  t.is(csvItemLine(item, columns), '1,9007199254740993,"a ""b"", c",,,"{""x"":[1.0]}","[""a"",""b""]"\r\n')
})

test('columns are pointers, or fields of items by their names', (t) => {
  t.deepEqual(['/a', 'id', ''].map(parseExportColumn), ['/a', 'id', ''])
  t.throws(() => parseExportColumn('title'), {
    message: /^"title" is neither a JSON Pointer, such as \/title, nor one of id, /,
  })
})

test('the members of data are columns, in the order in which they are met', (t) => {
  const items = ['{"data":{"b":1,"a/c":2}}', '{"data":{"a":1,"b":2}}', '{"data":[1]}']
  t.deepEqual(memberColumns(items), ['/b', '/a~1c', '/a', ''])
})

test('any cells come back from their line', (t) => {
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
