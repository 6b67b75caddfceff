import test from 'ava'
import { addMember, insertElement, moveToFront, removeElement } from '#shared/json/edit/in-text.ts'
import { placesOf } from '#shared/json/text/place.ts'

const listOf = (text: string) => placesOf(text, ['/l']).get('/l') ?? { from: 0, to: 0 }
const insert = (text: string, n: number, value: unknown) => insertElement(text, listOf(text), n, value)
const remove = (text: string, n: number) => removeElement(text, listOf(text), n)

const inserted: readonly [title: string, before: string, n: number, value: unknown, after: string][] = [
  ['in a line', '{ "l": [["a", "b"]] }', 1, ['b', 'c'], '{ "l": [["a", "b"], ["b", "c"]] }'],
  ['compact', '{"l":[1,2]}', 1, { a: [1, 'x'] }, '{"l":[1,{"a":[1,"x"]},2]}'],
  [
    'in lines',
    '{\n  "l": [\n    ["a"],\n    ["b"]\n  ]\n}',
    1,
    ['x'],
    '{\n  "l": [\n    ["a"],\n    ["x"],\n    ["b"]\n  ]\n}',
  ],
  ['first', '{\n\t"l": [\n\t\t{ "a": 1 }\n\t]\n}', 0, { b: 2 }, '{\n\t"l": [\n\t\t{ "b": 2 },\n\t\t{ "a": 1 }\n\t]\n}'],
  ['last', '{"l": [1 ,\n  2\n]}', 2, 3, '{"l": [1 ,\n  2,\n  3\n]}'],
  [
    'over several lines, among elements over several lines',
    '{\n  "l": [\n    {\n      "a": 1\n    }\n  ]\n}',
    1,
    { b: 2, c: [{ d: 1 }] },
    '{\n  "l": [\n    {\n      "a": 1\n    },\n    {\n      "b": 2,\n      "c": [{ "d": 1 }]\n    }\n  ]\n}',
  ],
  ['the first of all, in lines', '{\n  "l": []\n}', 0, ['a'], '{\n  "l": [\n    ["a"]\n  ]\n}'],
  ['the first of all, in a line', '{"l":[]}', 0, ['a', 'b'], '{"l":[["a","b"]]}'],
  ['after a text that has commas', '{"l": ["a,b", "\\"]"]}', 1, 'x', '{"l": ["a,b", "x", "\\"]"]}'],
]

for (const [title, before, n, value, after] of inserted)
  test(`a new element has the layout of its neighbours: ${title}`, (t) => t.is(insert(before, n, value), after))

test('an element is removed with one comma, and every other character stays', (t) => {
  const text = '{"l": [\n 1 , 2,\n\t3 ]}'
  t.is(remove(text, 0), '{"l": [\n 2,\n\t3 ]}')
  t.is(remove(text, 1), '{"l": [\n 1,\n\t3 ]}')
  t.is(remove(text, 2), '{"l": [\n 1 , 2 ]}')
  t.is(remove('{"l": [\n 1\n]}', 0), '{"l": []}')
  t.is(remove(text, 3), text)
})

test('an element is moved to the front unchanged', (t) => {
  const text = '{"l": [\n  1,\n  { "a":1.50 },\n  3\n]}'
  t.is(moveToFront(text, listOf(text), 1), '{"l": [\n  { "a":1.50 },\n  1,\n  3\n]}')
  t.is(moveToFront(text, listOf(text), 0), text)
})

test('a member is added after another one, with the layout of its neighbours', (t) => {
  const add = (text: string) =>
    addMember(text, { from: 0, to: text.length }, { key: 'e', value: [['a', 'b']], behind: 'n' })
  t.is(add('{"n":1,"z":2}'), '{"n":1,"e":[["a","b"]],"z":2}')
  t.is(add('{\n  "a": 1,\n  "n": [],\n  "z": 2\n}'), '{\n  "a": 1,\n  "n": [],\n  "e": [["a", "b"]],\n  "z": 2\n}')
  t.is(add('{\n  "n": 1\n}'), '{\n  "n": 1,\n  "e": [["a", "b"]]\n}')
})
