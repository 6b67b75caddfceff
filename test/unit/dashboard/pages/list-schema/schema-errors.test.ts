import test from 'ava'
import { schemaErrors } from '#services/dashboard/pages/list-schema/schema-errors.ts'

const text = `{
  "properties": {
    "a": { "type": "txt" },
    "a.b": { "minLength": -1 },
    "c": [1, { "x": 2 }]
  }
}`
const at = (path: string) =>
  schemaErrors(text, [{ path, message: 'is wrong' }], 'schema').map(({ pointer, line, from, to }) => [
    pointer,
    line,
    text.slice(from, to),
  ])

test('an error is shown at the value that its path names, with the line', (t) => {
  t.deepEqual(at('schema.properties.a.type'), [['/properties/a/type', 3, '"txt"']])
  t.deepEqual(at('schema.properties.c.1.x'), [['/properties/c/1/x', 5, '2']])
  t.is(at('schema')[0]?.[0], '')
})

test('if keys have dots, the longest existing key is meant', (t) => {
  t.deepEqual(at('schema.properties.a.b.minLength'), [['/properties/a.b/minLength', 4, '-1']])
})

test('an error at a missing value is shown at the innermost value around it', (t) => {
  t.deepEqual(at('schema.properties.a.items.type')[0]?.slice(0, 2), ['/properties/a', 3])
})

test('errors are in the order of the text, and those of other fields are left out', (t) => {
  const errors = ['schema.properties.c', 'name', 'schema.properties.a', 'schemas'].map((path) => ({
    path,
    message: 'x',
  }))
  t.deepEqual(
    schemaErrors(text, errors, 'schema').map(({ pointer }) => pointer),
    ['/properties/a', '/properties/c'],
  )
})
