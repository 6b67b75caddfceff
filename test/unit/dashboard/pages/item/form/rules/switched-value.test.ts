import test from 'ava'
import { schemaReader } from '#services/dashboard/pages/item/form/rules/schema-reader.ts'
import { switchedValue } from '#services/dashboard/pages/item/form/rules/switched-value.ts'
import type { SchemaObject } from '#shared/json-schema/ast.ts'

const to = (schema: SchemaObject, text?: string) => switchedValue(schemaReader(schema), schema, text)

test('members with the same names keep their text, and the constants are those of the new variant', (t) => {
  const bank = { properties: { kind: { const: 'bank' }, amount: { type: 'number' }, iban: {} }, required: ['kind'] }
  t.is(to(bank, '{"kind":"card","amount":1e400,"number":"7"}'), '{"kind":"bank","amount":1e400}')
})

test('a text and its number are converted into each other, and keep their digits', (t) => {
  t.is(to({ type: 'number' }, '"9007199254740993"'), '9007199254740993')
  t.is(to({ type: 'string' }, '1.50'), '"1.50"')
  t.is(to({ type: 'number' }, '"seven"'), '0')
})

test('any other value starts over', (t) => {
  t.is(to({ type: 'boolean' }, '7'), 'false')
  t.is(to({ type: 'array' }, '{"a":1}'), '[]')
  t.is(to({ type: 'object' }, '"a"'), '{}')
  t.is(to({ enum: ['a', 'b'] }, '7'), '"a"')
  t.is(to({ type: 'string', default: 'x' }), '"x"')
  t.is(to({ type: 'string' }, '{}'), '""')
})
