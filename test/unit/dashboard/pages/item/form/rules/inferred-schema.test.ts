import test from 'ava'
import { asDescription, saysNothing } from '#services/dashboard/pages/item/form/rules/inferred-schema.ts'

test('a schema inferred from items forbids nothing', (t) => {
  const inferred = {
    type: 'object',
    required: ['kind'],
    properties: {
      kind: { type: 'string', enum: ['a', 'b'] },
      all: { type: 'array', items: { type: 'object', required: ['x'], properties: { x: { type: 'integer' } } } },
    },
  }
  t.deepEqual(asDescription(inferred), {
    type: 'object',
    properties: {
      kind: { type: 'string' },
      all: { type: 'array', items: { type: 'object', properties: { x: { type: 'integer' } } } },
    },
  })
})

test('a schema without members of data leaves them to the items', (t) => {
  for (const schema of [{}, { type: 'object' }, { $schema: 'x', title: 'Any', additionalProperties: true }])
    t.true(saysNothing(schema))
  for (const schema of [{ type: 'array' }, { properties: {} }, { type: 'object', additionalProperties: false }])
    t.false(saysNothing(schema))
})
