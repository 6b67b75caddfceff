import test from 'ava'
import { compileSchema } from '#shared/json-schema/json-schema.ts'

function errors(schema: object, value: unknown) {
  return compileSchema(JSON.stringify(schema))(value)
}

test('every error is reported, with its pointer, its path in the body and its message', (t) => {
  const schema = {
    type: 'object',
    required: ['title'],
    properties: { n: { type: 'integer', minimum: 3 }, 'a/b': { items: { enum: ['x', 'y'] } } },
    additionalProperties: false,
  }
  t.deepEqual(errors(schema, { n: 1.5, 'a/b': ['x', 'z'], extra: 1 }), [
    { pointer: '', path: 'data', message: 'must have the property "title"' },
    { pointer: '', path: 'data', message: 'must not have the property "extra"' },
    { pointer: '/n', path: 'data.n', message: 'must be integer' },
    { pointer: '/n', path: 'data.n', message: 'must be >= 3' },
    { pointer: '/a~1b/1', path: 'data.a/b.1', message: 'must be one of "x", "y"' },
  ])
})

test('this also applies below references', (t) => {
  const schema = {
    properties: { a: { $ref: '#/definitions/n' }, b: { $ref: '#/definitions/n' } },
    definitions: { n: { items: { type: 'number' } } },
  }
  const found = errors(schema, { a: ['x', 1, 'y'], b: ['z'] })
  t.deepEqual(
    found.map(({ pointer }) => pointer),
    ['/a/0', '/a/2', '/b/0'],
  )
})

const sentences: [schema: object, value: unknown, message: string][] = [
  [{ const: { a: 1 } }, 1, 'must be {"a":1}'],
  [{ type: ['string', 'null'] }, 1, 'must be string or null'],
  [{ enum: Array.from({ length: 22 }, (_, n) => n) }, 'x', `must be one of ${[...Array(20).keys()].join(', ')} and 2 more`],
  [{ enum: ['x'.repeat(200)] }, 1, `must be one of "${'x'.repeat(99)}…`],
  [{ multipleOf: 0.5 }, 0.7, 'must be a multiple of 0.5'],
  [{ uniqueItems: true }, [1, 1], 'must not have duplicate items'],
  [{ properties: { a: false } }, { a: 1 }, 'is not allowed'],
  [{ pattern: '^a' }, 'b', 'must match pattern "^a"'],
] // biome-ignore format: a table

for (const [schema, value, message] of sentences) {
  test(`an error says: ${message.slice(0, 60)}`, (t) => {
    t.is(errors(schema, value)[0]?.message, message)
  })
}

test('at most a hundred errors are reported', (t) => {
  t.is(errors({ items: { type: 'string' } }, Array(5_000).fill(1)).length, 100)
})

test('for a value with very many errors some are reported', (t) => {
  const schema = { items: { $ref: '#/definitions/s' }, definitions: { s: { type: 'string' } } }
  const found = errors(schema, Array(300_000).fill(1))
  t.deepEqual(found[0], { pointer: '/0', path: 'data.0', message: 'must be string' })
})
