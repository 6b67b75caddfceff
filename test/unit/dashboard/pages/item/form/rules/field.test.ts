import test from 'ava'
import { parse } from '#client/src/json.ts'
import { fieldOf, type Shape } from '#services/dashboard/pages/item/form/rules/field.ts'
import { schemaReader } from '#services/dashboard/pages/item/form/rules/schema-reader.ts'
import type { SchemaObject } from '#shared/json-schema/ast.ts'

const field = (schema: SchemaObject, value?: unknown) => fieldOf(schemaReader(schema), schema, value)
const shape = (schema: SchemaObject, value?: unknown) => field(schema, value).shape

const kinds: [schema: SchemaObject, kind: Shape['kind']][] = [
  [{ type: 'string' }, 'text'],
  [{ maxLength: 3 }, 'text'],
  [{ type: 'string', format: 'date' }, 'date'],
  [{ type: 'string', format: 'time' }, 'time'],
  [{ type: 'string', format: 'date-time' }, 'date-time'],
  [{ type: 'string', 'x-list': 'events' }, 'reference'],
  [{ type: 'string', 'x-list': 7 }, 'text'],
  [{ type: 'integer' }, 'number'],
  [{ minimum: 3 }, 'number'],
  [{ type: ['integer', 'number'] }, 'number'],
  [{ type: 'boolean' }, 'boolean'],
  [{ enum: ['a', 'b', null] }, 'choice'],
  [{ const: 'a' }, 'choice'],
  [{ type: 'null' }, 'null'],
  [{ enum: [null] }, 'null'],
  [{ properties: { a: {} } }, 'object'],
  [{ items: { type: 'string' } }, 'array'],
  [{ type: ['string', 'number'] }, 'variants'],
  [{}, 'variants'],
  [{ minLength: 1, minimum: 2 }, 'variants'],
  [{ type: [] }, 'json'],
]
for (const [schema, kind] of kinds) test(`${JSON.stringify(schema)}: ${kind}`, (t) => t.is(shape(schema).kind, kind))

test('a value may be null by its type, its choices, or one of its alternatives', (t) => {
  const text = { type: 'string' }
  for (const schema of [{ type: ['string', 'null'] }, { enum: ['a', null] }, { anyOf: [text, { type: 'null' }] }, {}]) {
    t.true(field(schema).isNullable, JSON.stringify(schema))
  }
  for (const schema of [text, { enum: ['a'] }, { oneOf: [text, { type: 'number' }] }]) t.false(field(schema).isNullable)
  t.is(shape({ anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] }).kind, 'date')
})

test('a choice has the digits that the schema has', (t) => {
  const schema = parse('{"enum":["cake",90072192547411331,1.5]}') as SchemaObject
  t.deepEqual(shape(schema), {
    kind: 'choice',
    choices: [
      { text: '"cake"', label: 'cake' },
      { text: '90072192547411331', label: '90072192547411331' },
      { text: '1.5', label: '1.5' },
    ],
  })
})

test('alternatives with one value each are choices, with their titles', (t) => {
  const schema = { oneOf: [{ const: 'a', title: 'Apple' }, { const: 'b' }, { enum: [7], title: 'Seven' }] }
  t.deepEqual(shape(schema), {
    kind: 'choice',
    choices: [
      { text: '"a"', label: 'Apple' },
      { text: '"b"', label: 'b' },
      { text: '7', label: 'Seven' },
    ],
  })
})

test('references are followed, and keywords next to one describe the place for people', (t) => {
  const schema = {
    definitions: { name: { type: 'string', maxLength: 80, title: 'Any name' } },
    properties: { name: { $ref: '#/definitions/name', title: 'Name' } },
  }
  const reader = schemaReader(schema)
  const found = fieldOf(reader, schema.properties.name, undefined)
  t.like(found, { shape: { kind: 'text', isLong: false }, title: 'Name' })
})

test('references in a cycle end, and so does a schema that refers to itself', (t) => {
  const ring = { definitions: { a: { $ref: '#/definitions/b' }, b: { $ref: '#/definitions/a' } } }
  t.is(fieldOf(schemaReader(ring), { $ref: '#/definitions/a' }, undefined).shape.kind, 'variants')
  const self: SchemaObject = { allOf: [{ $ref: '#' }], properties: { child: { $ref: '#' } } }
  const found = shape(self)
  t.is(found.kind === 'object' ? found.properties.length : 0, 1)
})

test('allOf is merged: members of both, the narrower bounds, the types that both allow', (t) => {
  const { shape: found, schema } = field({
    allOf: [
      { type: 'object', properties: { a: { type: 'number', minimum: 1 } }, required: ['a'] },
      { properties: { a: { type: 'integer', minimum: 3 }, b: { type: 'string' } }, required: ['b'] },
      { additionalProperties: false },
    ],
  })
  if (found.kind !== 'object') return t.fail()
  t.deepEqual(
    found.properties.map(({ name, isRequired }) => `${name} ${isRequired}`),
    ['a true', 'b true'],
  )
  t.is(found.others, null)
  t.deepEqual(schema.required, ['a', 'b'])
  const [a] = found.properties
  t.like(field(a?.schema as SchemaObject).schema, { type: ['integer'], minimum: 3 })
})

test('a condition adds the fields of its branch, and a dependency the fields that it requires', (t) => {
  const schema = {
    type: 'object',
    properties: { kind: { enum: ['online', 'venue'] } },
    if: { properties: { kind: { const: 'online' } }, required: ['kind'] },
    ...JSON.parse('{"then": {"properties": {"url": {"type": "string"}}, "required": ["url"]}}'),
    else: { properties: { street: { type: 'string' } } },
    dependencies: { street: ['city'] },
  }
  const names = (value: unknown) => {
    const found = shape(schema, value)
    return found.kind === 'object' ? found.properties.map(({ name }) => name).join(' ') : ''
  }
  t.is(names({ kind: 'online' }), 'kind url')
  t.is(names({ kind: 'venue' }), 'kind street')
  t.is(names({ kind: 'venue', street: 'x' }), 'kind street city')
  t.is(names(undefined), 'kind')
})

test('a tuple has a schema for each position, and an array the allowed number of elements', (t) => {
  t.deepEqual(shape({ items: [{ type: 'number' }, { type: 'string' }], additionalItems: false }), {
    kind: 'array',
    first: [{ type: 'number' }, { type: 'string' }],
    rest: null,
    least: 0,
    most: 2,
  })
  t.like(shape({ type: 'array', minItems: 1, maxItems: 5 }), { first: [], rest: true, least: 1, most: 5 })
})

test('unnamed members have the schema of additional properties, or are not allowed', (t) => {
  t.like(shape({ additionalProperties: { type: 'number' } }), { others: { type: 'number' } })
  t.like(shape({ type: 'object', additionalProperties: false }), { others: null })
  t.like(shape({ patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false }), {
    others: { type: 'string' },
  })
  t.like(shape({ type: 'object', required: ['named'] }), { properties: [{ name: 'named', isRequired: true }] })
})

test('a place where nothing is allowed has no field', (t) => {
  t.is(fieldOf(schemaReader({}), false, undefined).shape.kind, 'json')
})
