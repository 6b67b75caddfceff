import test from 'ava'
import type { CellType } from '#shared/domain/item-transfer/cell.ts'
import { changeColumns, parseColumnChange } from '#shared/domain/item-transfer/columns.ts'
import { createDataWriter, type EmptyCells } from '#shared/domain/item-transfer/row-data.ts'

function write(columns: [pointer: string | null, type: CellType][], cells: string[], empty: EmptyCells = 'omit') {
  return createDataWriter(
    columns.map(([pointer, type], n) => ({ name: `c${n}`, pointer, type })),
    empty,
  )(cells)
}

test('cells become data by their types, and numbers and JSON keep their text', (t) => {
  const columns: [string, CellType][] = [
    ['/title', 'text'],
    ['/n', 'number'],
    ['/m', 'number'],
    ['/b', 'boolean'],
    ['/at', 'date'],
    ['/j', 'json'],
  ]
  t.deepEqual(write(columns, ['a "b"', '9007199254740993', ' 1e400 ', 'Yes', '2026-01-31', '{"x":1.0}']), {
    data: '{"title":"a \\"b\\"","n":9007199254740993,"m":1e400,"b":true,"at":"2026-01-31","j":{"x":1.0}}',
  })
})

test('pointers create nested objects, and positions that begin at 0 an array', (t) => {
  const columns: [string, CellType][] = [
    ['/a/b', 'text'],
    ['/tags/1', 'text'],
    ['/tags/0', 'text'],
    ['/a/c~1d', 'number'],
    ['/years/2026', 'number'],
  ]
  t.deepEqual(write(columns, ['x', 'two', 'one', '1', '5']), {
    data: '{"a":{"b":"x","c/d":1},"tags":["one","two"],"years":{"2026":5}}',
  })
  t.deepEqual(write(columns, ['', '', '', '', '']), { data: '{}' })
})

test('every element of an array keeps its position: missing elements before it are null, and nothing follows the last', (t) => {
  const tags: [string, CellType][] = [
    ['/tags/0', 'text'],
    ['/tags/1', 'text'],
    ['/tags/2', 'text'],
  ]
  t.deepEqual(write(tags, ['', 'two', '']), { data: '{"tags":[null,"two"]}' })
  t.deepEqual(write(tags, ['one', '', 'three']), { data: '{"tags":["one",null,"three"]}' })
  t.deepEqual(write(tags, ['one', '', '']), { data: '{"tags":["one"]}' })
  t.deepEqual(write(tags, ['', 'two', ''], 'null'), { data: '{"tags":[null,"two",null]}' })
  const people: [string, CellType][] = [
    ['/people/0/name', 'text'],
    ['/people/2/name', 'text'],
    ['/people/10/name', 'text'],
  ]
  t.deepEqual(write(people, ['', 'b', '']), { data: '{"people":[null,null,{"name":"b"}]}' })
  const far: [string, CellType][] = [
    ['/a/0', 'text'],
    ['/a/99999999', 'text'],
  ]
  t.deepEqual(write(far, ['x', 'y']), { data: '{"a":{"0":"x","99999999":"y"}}' })
})

test('a value in a column without a name is an error, until the user maps the column', (t) => {
  const columns = [
    { name: 'a', pointer: '/a', type: 'text' as const },
    { name: '', pointer: null, type: 'text' as const, isUndecided: true },
  ]
  const message = 'cell 2 has a value, but its column has no name; name the column, or map column #2'
  t.deepEqual(createDataWriter(columns, 'omit')(['x', 'y']), { errors: [{ message }] })
  t.deepEqual(createDataWriter(columns, 'omit')(['x', '']), { data: '{"a":"x"}' })
  const leftOut = changeColumns(columns, [parseColumnChange('#2=')])
  t.deepEqual(createDataWriter(leftOut, 'omit')(['x', 'y']), { data: '{"a":"x"}' })
})

test('if texts are guarded, the apostrophe before a formula is removed', (t) => {
  const columns = [
    { name: 'a', pointer: '/a', type: 'text' as const },
    { name: 'n', pointer: '/n', type: 'number' as const },
  ]
  t.deepEqual(createDataWriter(columns, 'omit', { isGuarded: true })(["'=1+1", '-5']), { data: '{"a":"=1+1","n":-5}' })
  t.deepEqual(createDataWriter(columns, 'omit')(["'=1+1", '-5']), { data: '{"a":"\'=1+1","n":-5}' })
})

test('an empty cell is left out, or null if requested', (t) => {
  const columns: [string | null, CellType][] = [
    ['/a', 'text'],
    ['/n', 'number'],
    [null, 'text'],
  ]
  t.deepEqual(write(columns, ['', '', 'x']), { data: '{}' })
  t.deepEqual(write(columns, ['', '', 'x'], 'null'), { data: '{"a":null,"n":null}' })
})

test('one column may be all of the data', (t) => {
  t.deepEqual(write([['', 'json']], ['[1]']), { data: '[1]' })
  t.deepEqual(write([['', 'number']], ['5']), { data: '5' })
})

test('every cell with a value of another type is an error with its column and pointer', (t) => {
  const columns: [string, CellType][] = [
    ['/n', 'number'],
    ['/b', 'boolean'],
    ['/at', 'date'],
    ['/j', 'json'],
  ]
  t.deepEqual(write(columns, ['007', 'maybe', '2026-02-30', '{"a":1,"a":2}']), {
    errors: [
      { column: 'c0', pointer: '/n', message: '"007" is not a JSON number' },
      { column: 'c1', pointer: '/b', message: '"maybe" is neither true nor false' },
      {
        column: 'c2',
        pointer: '/at',
        message: '"2026-02-30" is not a date such as 2026-01-31 or 2026-01-31T12:00:00Z',
      },
      { column: 'c3', pointer: '/j', message: 'it is not JSON: a key is repeated in one object, at character 8' },
    ],
  })
})

test('a row must have as many cells as the header', (t) => {
  const errors = [{ message: 'the row has 1 cells, but the header has 2' }]
  const columns: [string, CellType][] = [
    ['/a', 'text'],
    ['/b', 'text'],
  ]
  t.deepEqual(write(columns, ['x']), { errors })
})
