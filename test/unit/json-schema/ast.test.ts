import test from 'ava'
import { checkSchema } from '#shared/json-schema/json-schema.ts'
import { maxSchemaBytes } from '#shared/json-schema/limits.ts'

/** `path: message` of every error. */
function errors(schema: unknown): string[] {
  return checkSchema(JSON.stringify(schema), 'schema').map(({ path, message }) => `${path}: ${message}`)
}

test('a schema of draft-07 has no errors', (t) => {
  t.deepEqual(errors({}), [])
  t.deepEqual(
    errors({ $schema: 'http://json-schema.org/draft-07/schema#', $id: 'https://example.com/a.json', title: 'A' }),
    [],
  )
  t.deepEqual(
    errors({ definitions: { a: { $id: '#/definitions/a' } }, properties: { x: { $ref: '#/definitions/a' } } }),
    [],
  )
  t.deepEqual(
    errors({ 'x-editor': { $ref: 'http://example.com/' }, default: { $ref: 'no' }, examples: [{ type: 'x' }] }),
    [],
  )
})

test('all errors are reported at once, with their paths', (t) => {
  const schema = {
    type: 'strin',
    items: 'x',
    required: ['a', 'a'],
    properties: {
      a: { minLength: -1, pattern: '(?=a)' },
      b: { $ref: 'http://example.com/s.json' },
      c: { $ref: '#/definitions/x' },
    },
    patternProperties: { '(': {} },
    allOf: [{ enum: [] }, { maximum: '5' }],
  }
  t.deepEqual(errors(schema).sort(), [
    'schema.allOf.0.enum: must NOT have fewer than 1 items',
    'schema.allOf.1.maximum: must be number',
    'schema.items: must be object or boolean',
    'schema.patternProperties.(: is not a regular expression',
    'schema.properties.a.minLength: must be >= 0',
    'schema.properties.a.pattern: uses look-around, which is not supported',
    'schema.properties.b.$ref: must refer to an $id or a place in this schema: nothing else is fetched',
    'schema.properties.c.$ref: does not resolve',
    'schema.required: must not have duplicate items',
    'schema.type: must be one of "array", "boolean", "integer", "null", "number", "object", "string"',
  ])
})

test('a schema must be an object', (t) => {
  for (const schema of [true, null, [], 'x', 1]) t.deepEqual(errors(schema), ['schema: must be an object'])
})

test('a schema has at most 256 KiB of text and 64 levels', (t) => {
  const sized = (bytes: number) => ({ title: 'ü'.repeat((bytes - 12) / 2) })
  t.deepEqual(errors(sized(maxSchemaBytes)), [])
  t.deepEqual(errors(sized(maxSchemaBytes + 2)), ['schema: must be at most 262144 bytes long'])
  const nested = (levels: number): object => (levels === 1 ? {} : { not: nested(levels - 1) })
  t.deepEqual(errors(nested(64)), [])
  t.deepEqual(errors(nested(65)), ['schema: must nest at most 64 levels deep'])
})

test('a big but simple schema is accepted', (t) => {
  const properties = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`property-${n}`, { type: 'string' }]))
  t.deepEqual(errors({ properties, additionalProperties: false, required: Object.keys(properties) }), [])
  t.deepEqual(errors({ enum: Array.from({ length: 20_000 }, (_, n) => n) }), [])
})

test('a schema of too many parts is rejected before it is compiled', (t) => {
  const many = (count: number, part: unknown) => Array.from({ length: count }, () => part)
  t.regex(errors({ anyOf: many(11_000, { const: 1 }) }).join(), /more than 10000 schemas/)
  t.regex(errors({ oneOf: many(401, { const: 1 }) }).join(), /schema.oneOf: must have at most 400/)
  const patterns = Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`^${n}$`, true]))
  t.regex(errors({ patternProperties: patterns }).join(), /too big/)
  const chain = Object.fromEntries(
    Array.from({ length: 500 }, (_, n) => [`d${n}`, { $ref: `#/definitions/d${n + 1}` }]),
  )
  t.regex(errors({ definitions: { ...chain, d500: {} } }).join(), /too many schemas/)
})

test('at most a hundred errors are reported', (t) => {
  t.is(errors({ allOf: Array.from({ length: 300 }, () => ({ type: 'x' })) }).length, 100)
})
