import test from 'ava'
import { fieldOf } from '#services/dashboard/pages/item/form/rules/field.ts'
import { schemaReader } from '#services/dashboard/pages/item/form/rules/schema-reader.ts'
import { meantVariant } from '#services/dashboard/pages/item/form/rules/variants.ts'
import type { SchemaObject } from '#shared/json-schema/ast.ts'

function variants(schema: SchemaObject) {
  const reader = schemaReader(schema)
  const { shape } = fieldOf(reader, schema, undefined)
  const found = shape.kind === 'variants' ? shape.variants : []
  return {
    titles: found.map(({ title }) => title),
    meant: (value: unknown, chosen?: number) => meantVariant(reader, found, value, chosen),
  }
}

const card = { properties: { kind: { const: 'card' }, number: { type: 'string' } }, required: ['kind', 'number'] }
const bank = { properties: { kind: { const: 'bank' }, iban: { type: 'string', minLength: 4 } }, required: ['kind'] }

test('a variant has the name of its title, its reference, its constant, or its type', (t) => {
  const schema = {
    definitions: { Cash: { type: 'object', properties: { amount: { type: 'number' } } } },
    oneOf: [
      { ...card, title: 'By card' },
      bank,
      { $ref: '#/definitions/Cash' },
      { type: 'string' },
      { properties: {} },
    ],
  }
  t.deepEqual(variants(schema).titles, ['By card', 'bank', 'Cash', 'Text', 'Form 5'])
})

test('the constant member of a value decides its variant, even if other members are wrong', (t) => {
  const { meant } = variants({ oneOf: [card, bank] })
  t.is(meant({ kind: 'bank', iban: 7 }, 0), 1)
  t.is(meant({ kind: 'card' }), 0)
})

test('without a constant, the variant is the chosen one, the matching one, or the one with the type of the value', (t) => {
  const { meant } = variants({ anyOf: [{ type: 'string', minLength: 5 }, { type: 'string' }, { type: 'number' }] })
  t.is(meant('abc'), 1)
  t.is(meant('abc', 0), 0)
  t.is(meant(7, 0), 2)
  t.is(meant(true), -1)
  t.is(meant(undefined), -1)
  t.is(meant(undefined, 2), 2)
})

test('alternatives that only restrict the schema around them are not variants', (t) => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  }
  t.is(fieldOf(schemaReader(schema), schema, undefined).shape.kind, 'object')
})

test('a variant also has the members of the schema around it', (t) => {
  const schema = { type: 'object', properties: { id: { type: 'number' } }, oneOf: [card, bank] }
  const reader = schemaReader(schema)
  const { shape } = fieldOf(reader, schema, undefined)
  const one = shape.kind === 'variants' ? fieldOf(reader, shape.variants[0]?.schema, undefined).shape : null
  t.deepEqual(one?.kind === 'object' ? one.properties.map(({ name }) => name) : null, ['kind', 'number', 'id'])
})
