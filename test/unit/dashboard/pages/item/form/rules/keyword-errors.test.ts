import test from 'ava'
import { keywordErrors } from '#services/dashboard/pages/item/form/rules/keyword-errors.ts'
import { matches } from '#services/dashboard/pages/item/form/rules/matches.ts'
import { schemaReader } from '#services/dashboard/pages/item/form/rules/schema-reader.ts'
import type { SchemaObject } from '#shared/json-schema/ast.ts'
import { compileSchema } from '#shared/json-schema/json-schema.ts'
import { pick, seeded } from '../../../../../../support/load/random-json.ts'

const keywords: Readonly<Record<string, readonly [unknown, ...unknown[]]>> = {
  type: ['string', 'integer', 'number', ['string', 'null'], 'object', 'array', 'boolean', 'null'],
  enum: [
    ['a', 1, null],
    [{ a: 1 }, [2]],
    [1.5, 'ab'],
  ],
  const: ['a', 3, null, { a: [1] }],
  minimum: [0, 1.5],
  maximum: [2, -1],
  exclusiveMinimum: [1],
  exclusiveMaximum: [3],
  multipleOf: [2, 0.1],
  minLength: [1, 2],
  maxLength: [0, 1, 3],
  format: ['date', 'date-time', 'time', 'email', 'uri', 'uuid', 'unheard-of'],
  minItems: [1, 2],
  maxItems: [0, 1],
  uniqueItems: [true, false],
  minProperties: [1],
  maxProperties: [0, 1],
  required: [['a'], ['a', '__proto__', 'b']],
}
const values = [
  'a', '', 'ab', '😀😀', '2026-02-30', '2026-02-28', '2026-02-28T10:00:00Z', '10:00:00Z', '10:00', 'a@b.example', 'x://y',
  0, 1, 1.5, 2, -3, 0.3, 7.1, null, true, [], [1], [1, 1.0, 2], [{ a: 1 }, { a: 1 }], {}, { a: 1 }, { b: [], c: 2 },
] as const // biome-ignore format: a list of values

function randomSchema(random: () => number): SchemaObject {
  const names = Object.keys(keywords) as [string, ...string[]]
  const some = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(random, names))
  return Object.fromEntries(some.map((name) => [name, pick(random, keywords[name] as [unknown])]))
}

test('the errors of the form are those of the service, word for word', (t) => {
  const random = seeded(50)
  let wrong = 0
  for (let round = 0; round < 400; round++) {
    const schema = randomSchema(random)
    const validate = compileSchema(JSON.stringify(schema))
    const reader = schemaReader(schema)
    for (const value of values) {
      const reported = validate(value).map(({ message }) => message)
      const errors = keywordErrors(schema, value)
      t.deepEqual([...errors].sort(), [...reported].sort(), `${JSON.stringify(schema)} of ${JSON.stringify(value)}`)
      t.is(matches(reader, schema, value), reported.length === 0)
      wrong += reported.length
    }
  }
  t.true(wrong > 1_000)
})

test('patterns and host names are left to the service', (t) => {
  t.deepEqual(keywordErrors({ pattern: '^b', format: 'hostname' }, 'a b'), [])
})

test('a value matches as deeply as the schema describes it', (t) => {
  const schema = {
    definitions: { even: { type: 'number', multipleOf: 2 } },
    type: 'object',
    properties: {
      all: { items: { $ref: '#/definitions/even' } },
      pair: { items: [{ const: 1 }], additionalItems: false },
    },
    not: { required: ['never'] },
    additionalProperties: { type: 'string' },
    ...JSON.parse('{"if": {"required": ["all"]}, "then": {"required": ["pair"]}}'),
  }
  const is = (value: unknown) => matches(schemaReader(schema), schema, value)
  t.true(is({ all: [2, 4], pair: [1], other: 'x' }))
  for (const value of [{ all: [2, 3], pair: [1] }, { pair: [1, 2] }, { never: 'x' }, { other: 1 }, { all: [] }])
    t.false(is(value), JSON.stringify(value))
})
