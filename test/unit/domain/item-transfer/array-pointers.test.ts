import test from 'ava'
import { arrayPointers, unclearPositions } from '#shared/domain/item-transfer/array-pointers.ts'
import { createDataWriter } from '#shared/domain/item-transfer/row-data.ts'

const columnsAt = (...pointers: string[]) =>
  pointers.map((pointer) => ({ name: pointer, pointer, type: 'text' as const }))

/** The data of a row with the cells `a`, `b`, …, and the warnings. */
function read(pointers: string[], schema: unknown = null) {
  const columns = columnsAt(...pointers)
  const arrays = arrayPointers(columns, schema)
  const row = createDataWriter(columns, 'omit', { arrays })(pointers.map((_, n) => String.fromCharCode(97 + n)))
  return { data: 'data' in row ? JSON.parse(row.data) : row, warnings: unclearPositions(columns, { arrays, schema }) }
}

const listOf = (type: unknown) => ({ properties: { t: { type } } })

test('positions that begin at 0 are those of an array', (t) => {
  t.deepEqual(read(['/t/0', '/t/1', '/n']), { data: { t: ['a', 'b'], n: 'c' }, warnings: [] })
})

test('positions without 0 are members of an object if the schema does not decide, and a warning names the columns', (t) => {
  for (const schema of [null, true, {}, listOf(['object', 'array']), listOf('string')]) {
    const { data, warnings } = read(['/t/1', '/t/2', '/n'], schema)
    t.deepEqual(data, { t: { 1: 'a', 2: 'b' }, n: 'c' })
    t.deepEqual(warnings, [
      '/t/1, /t/2: /t becomes an object with these members, not an array, because /t/0 has no column. A schema decides which one it is.',
    ])
  }
})

test('a schema that says array or object decides', (t) => {
  t.deepEqual(read(['/t/1', '/t/2'], listOf(['array', 'null'])), { data: { t: [null, 'a', 'b'] }, warnings: [] })
  t.deepEqual(read(['/t/0', '/t/1'], listOf('object')), { data: { t: { 0: 'a', 1: 'b' } }, warnings: [] })
  t.deepEqual(read(['/t/1', '/t/2'], listOf('object')), { data: { t: { 1: 'a', 2: 'b' } }, warnings: [] })
  const nested = {
    properties: { t: { type: 'array', items: { $ref: '#/definitions/x' } } },
    definitions: { x: { type: 'array' } },
  }
  t.deepEqual(read(['/t/1/1'], nested), { data: { t: [null, [null, 'a']] }, warnings: [] })
})

test('an array with more than 100 positions without a column is an object, whatever the schema says, and a warning names it', (t) => {
  const { data, warnings } = read(['/t/0', '/t/200'], listOf('array'))
  t.deepEqual(data, { t: { 0: 'a', 200: 'b' } })
  t.regex(warnings.join(), /^\/t\/0, \/t\/200: .* because more than 100 positions have no column/)
})

test('names that are not positions need no warning', (t) => {
  t.deepEqual(read(['/t/1', '/t/x', '/u/01']).warnings, [])
  t.deepEqual(read(['/2023', '/2024']).warnings, [])
  t.regex(read(['/t/1', '/t/2', '/t/3', '/t/4', '/t/5', '/t/6']).warnings.join(), /\/t\/5, …: /)
})

test('the work is linear in the number of columns', (t) => {
  const columns = columnsAt(...Array.from({ length: 100_000 }, (_, n) => `/t/${n}/x`))
  t.deepEqual(arrayPointers(columns, listOf('array')), ['/t'])
})
