import test from 'ava'
import {
  memberNames,
  pointerTree,
  readFoundItems,
  readItemRows,
  valueTexts,
} from '#services/dashboard/pages/items/table/item-rows.ts'
import { parsePointer } from '#shared/json/pointer.ts'

const treeOf = (...pointers: string[]) =>
  pointerTree(pointers.map((pointer) => [pointer, parsePointer(pointer) ?? []] as const))

test('a page is read with the data of each item as the received text', (t) => {
  const text =
    '{"limit":100,"next":"c","data":[{"id":"a","data":{"n":9007199254740993,"e":1e400,"d":1.50},"tags":["x"]},{"id":"b","data":null,"tags":[]}]}'
  t.deepEqual(readItemRows(text) as unknown, {
    next: 'c',
    examined: 0,
    rows: [
      { id: 'a', tags: ['x'], dataText: '{"n":9007199254740993,"e":1e400,"d":1.50}' },
      { id: 'b', tags: [], dataText: 'null' },
    ],
  })
  t.deepEqual(readItemRows('{"limit":1,"next":null,"data":[]}'), { rows: [], next: null, examined: 0 })
  const short = '{"limit":1,"next":"n","examined":20000,"data":[]}'
  t.deepEqual(readItemRows(short), { rows: [], next: 'n', examined: 20_000 })
})

test('search results are read in their order', (t) => {
  const text = '[{"relevance":2.5,"item":{"id":"b","data":{"n":1.50}}},{"relevance":1,"item":{"id":"a","data":null}}]'
  const rows = [
    { id: 'b', dataText: '{"n":1.50}' },
    { id: 'a', dataText: 'null' },
  ]
  t.deepEqual(readFoundItems(text) as unknown, { rows, next: null, examined: 0 })
  t.deepEqual(readFoundItems('[]').rows, [])
})

test('a response that is not a page of items is rejected', (t) => {
  t.throws(() => readItemRows('{"name":"SERVICE_UNAVAILABLE"}'), { instanceOf: SyntaxError })
})

test('values are cut from the text at their pointers, in objects and arrays', (t) => {
  const text = '{"a":{"b":[1,{"c":"x,}"}]},"/~":2.0,"\\u0061a":true,"a b":{}}'
  t.deepEqual(
    [...valueTexts(text, treeOf('/a/b/1/c', '/a/b/0', '/a/b', '/~1~0', '/aa', '/nothing', '/a/b/7', '/a/b/c', ''))],
    [
      ['', text],
      ['/a/b', '[1,{"c":"x,}"}]'],
      ['/a/b/0', '1'],
      ['/a/b/1/c', '"x,}"'],
      ['/~1~0', '2.0'],
      ['/aa', 'true'],
    ],
  )
})

test('data that is not an object has a value only as a whole', (t) => {
  for (const text of ['null', '5', '"text"', '[]']) t.deepEqual([...valueTexts(text, treeOf('/a', ''))], [['', text]])
})

test('the names of members are read up to a bound', (t) => {
  t.deepEqual(memberNames('{"a":{"x":1},"b":2,"c":3}', 2), ['a', 'b'])
  t.deepEqual(memberNames('{}', 2), [])
  t.is(memberNames('[1]', 2), null)
})
