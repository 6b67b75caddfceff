import test from 'ava'
import { parse } from '#client/src/json.ts'
import { firstElement, newItemText } from '#services/dashboard/pages/item/form/rules/first-value.ts'
import { schemaReader } from '#services/dashboard/pages/item/form/rules/schema-reader.ts'
import type { SchemaObject } from '#shared/json-schema/ast.ts'

const begin = (schema: SchemaObject) => newItemText(schemaReader(schema))

test('a new item begins with required members and defaults, in the order of the schema', (t) => {
  const schema = parse(`{
    "type": "object", "required": ["title", "venue", "tags", "kind", "pair"],
    "properties": {
      "title": {"type": "string"},
      "batch": {"default": 9007199254740993},
      "venue": {"type": "object", "required": ["city"], "properties": {"city": {"default": "Oslo"}, "room": {}}},
      "tags": {"type": "array"},
      "kind": {"const": "event"},
      "pair": {"items": [{"type": "number"}, {"enum": ["m", "km"]}], "minItems": 2},
      "note": {"type": "string"}
    }
  }`) as SchemaObject
  t.is(begin(schema), '{"batch":9007199254740993,"venue":{"city":"Oslo"},"tags":[],"kind":"event","pair":["",""]}')
})

test('an item without a schema, or with an empty schema, begins empty', (t) => {
  for (const schema of [{}, { type: 'string' }, { type: 'object' }]) t.is(begin(schema), '{}')
  t.is(begin({ type: 'array' }), '[]')
  t.is(begin({ default: { a: 1 } }), '{"a":1}')
})

test('a schema that requires itself does not loop', (t) => {
  const text = begin({ type: 'object', required: ['child'], properties: { child: { $ref: '#' } } })
  t.is(text.match(/child/g)?.length, 7)
  const many = begin({ type: 'array', minItems: 1e9 })
  t.true(many.length < 1_000)
})

test('an element that a user must enter is empty at first', (t) => {
  const element = (schema: SchemaObject) => firstElement(schemaReader(schema), schema)
  t.is(element({ type: 'string' }), '""')
  t.is(element({ type: ['number', 'null'] }), 'null')
  t.is(element({ properties: {} }), '{}')
})
