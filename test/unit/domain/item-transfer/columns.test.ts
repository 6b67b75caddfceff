import test from 'ava'
import { changeColumns, columnErrors, parseColumnChange, proposeColumns } from '#shared/domain/item-transfer/columns.ts'

const shape = {
  schema: {
    type: 'object',
    properties: {
      serves: { type: ['integer', 'null'] },
      day: { type: 'string', format: 'date' },
      tags: { type: 'array', items: { type: 'string' } },
      vegan: { type: 'boolean' },
      code: { type: 'string' },
    },
  },
  indexes: [{ pathName: 'price', pointer: '/cost/amount', valueType: 'number' }],
}

test('a column maps to the pointer that is its name, to that of the index, or to the property of its name', (t) => {
  const header = ['code', '/cost/currency', 'Price', 'a/b~c', '', 'import_error']
  t.deepEqual(
    proposeColumns(header, shape).map(({ pointer }) => pointer),
    ['/code', '/cost/currency', '/cost/amount', '/a~1b~0c', null, null],
  )
})

test('its type is that of the schema or an index, or else that of the samples', (t) => {
  const types = (header: string[], samples?: string[][]) =>
    proposeColumns(header, shape, samples).map(({ type }) => type)
  t.deepEqual(types(['serves', 'day', 'tags', '/tags/0', 'vegan', 'price', 'code', 'x']), [
    'number',
    'date',
    'json',
    'text',
    'boolean',
    'number',
    'text',
    'text',
  ])
  const samples = [
    ['1', '007', '2026-01-31', 'true', '[1]', '12', '12'],
    ['1e400', '8', '', 'FALSE', '{}', '', 'x'],
  ]
  t.deepEqual(types(['n', 'zip', 'at', 'b', 'j', 'code', 'm'], samples), [
    'number',
    'text',
    'date',
    'boolean',
    'json',
    'text',
    'text',
  ])
})

test('a mapping is read as it is written, and changes the column of its name', (t) => {
  t.deepEqual(parseColumnChange('n=/a/b'), { name: 'n', pointer: '/a/b', type: undefined })
  t.deepEqual(parseColumnChange('a=b=/c:number'), { name: 'a=b', pointer: '/c', type: 'number' })
  t.deepEqual(parseColumnChange('n='), { name: 'n', pointer: null, type: undefined })
  t.throws(() => parseColumnChange('n'), { message: /^"n" does not map a column; write column=\/pointer/ })
  t.throws(() => parseColumnChange('n=/a:numbr'), {
    message: /^"numbr" is not a column type; did you mean "number"\?/,
  })
  const columns = proposeColumns(['n', 'm'], shape)
  t.deepEqual(changeColumns(columns, [parseColumnChange('m=/k:json')])[1], { name: 'm', pointer: '/k', type: 'json' })
  t.throws(() => changeColumns(columns, [parseColumnChange('mm=/k')]), { message: /^there is no column "mm"/ })
})

test('columns with one name, and pointers that are invalid, equal, or within each other are errors', (t) => {
  const errorsOf = (pointers: (string | null)[], names = pointers.map((_, n) => `c${n}`)) =>
    columnErrors(pointers.map((pointer, n) => ({ name: names[n] ?? '', pointer, type: 'text' as const }))).map(
      ({ column, message }) => `${column}: ${message}`,
    )
  t.deepEqual(errorsOf(['/a', '/b', null, null]), [])
  t.deepEqual(errorsOf(['/a', '/b'], ['x', 'x']), ['1: another column has the name "x" too'])
  t.deepEqual(errorsOf(['a']), ['0: "a" is not a JSON Pointer, such as /title'])
  t.deepEqual(errorsOf(['/a', '/a']), ['1: the column "c0" is mapped to /a already'])
  t.deepEqual(errorsOf(['/a/b', '/a', '/ab']), [
    '1: /a and /a/b of the column "c0" cannot both be set: one is within the other',
  ])
  t.is(errorsOf(['/a', '']).length, 1)
})

test('a column without a name is distinguished from one that is left out, and addressed by its position', (t) => {
  const columns = proposeColumns(['a', '', 'import_error', '#1'], shape)
  t.deepEqual(
    columns.map(({ isUndecided }) => isUndecided ?? false),
    [false, true, false, false],
  )
  t.like(changeColumns(columns, [parseColumnChange('#2=/b')])[1], { pointer: '/b', isUndecided: undefined })
  t.like(changeColumns(columns, [parseColumnChange('#1=/b')])[3], { pointer: '/b' })
  t.throws(() => changeColumns(columns, [parseColumnChange('#5=')]), { message: /^there is no column "#5"/ })
})

test('each column is compared with the others once, however many there are', (t) => {
  const header = Array.from({ length: 100_000 }, (_, n) => `/group${n % 7}/column ${n}`)
  const columns = changeColumns(proposeColumns(header, shape), [parseColumnChange('/group0/column 7=/x:number')])
  t.deepEqual(columnErrors(columns), [])
  t.like(columnErrors([...columns, { name: 'y', pointer: '/group3', type: 'text' }]), {
    length: 1,
    0: { column: 100_000 },
  })
})
