import test from 'ava'
import { inferSchema } from '#shared/json-schema/infer/infer-schema.ts'
import { observeSamples } from '#shared/json-schema/infer/observe.ts'
import { checkSchema, compileSchema } from '#shared/json-schema/json-schema.ts'
import { randomJson, seeded } from '../../../support/load/random-json.ts'

const infer = (samples: readonly string[]) => inferSchema(observeSamples(samples))
/** The inferred schema of the samples' only property. */
const inferOf = (values: readonly string[]) => infer(values.map((value) => `{"a":${value}}`)).properties?.a
const times = (n: number, text: string) => Array.from({ length: n }, () => text)

test('properties that all samples have are required, in the order in which they occurred', (t) => {
  t.deepEqual(infer(['{"b":"x","a":1,"c":true}', '{"b":"y","a":2}']), {
    type: 'object',
    properties: { b: { type: 'string' }, a: { type: 'integer' }, c: { type: 'boolean' } },
    required: ['b', 'a'],
  })
})

const types: [claim: string, values: string[], schema: object][] = [
  ['whole numbers are integers', ['1', '-2', '9007199254740993'], { type: 'integer' }],
  ['a number with a fraction makes all of them numbers', ['1', '2.5'], { type: 'number' }],
  ['1.0 has a decimal point, so it is a number and not an integer', ['1.0', '2.0'], { type: 'number' }],
  ['1e400 is a number', ['1e400'], { type: 'number' }],
  ['a value may be null', ['"a"', 'null'], { type: ['string', 'null'] }],
  ['several types are named', ['"a"', '1', '[]'], { type: ['string', 'integer', 'array'] }],
  ['a value that is null in all samples gets no type', ['null', 'null'], {}],
  ['an empty array sets nothing about its elements', ['[]'], { type: 'array' }],
  ['elements of all arrays share one schema', ['["x"]', '[]', '["y", null]'], { type: 'array', items: { type: ['string', 'null'] } }],
  ['the members of objects get their schemas', ['{"b":{"c":1}}'], { type: 'object', properties: { b: { type: 'object', properties: { c: { type: 'integer' } }, required: ['c'] } }, required: ['b'] }],
  ['the members of objects in arrays too', ['[{"b":1},{"b":2,"c":3}]'], { type: 'array', items: { type: 'object', properties: { b: { type: 'integer' }, c: { type: 'integer' } }, required: ['b'] } }],
  ['three texts of a format are enough to set it', ['"2026-01-01"', '"2026-01-02"', '"2026-01-03"'], { type: 'string', format: 'date' }],
  ['two are not enough', ['"2026-01-01"', '"2026-01-02"'], { type: 'string' }],
  ['one text that does not fit it is enough to leave it out', ['"2026-01-01"', '"2026-01-02"', '"soon"', '"2026-01-03"'], { type: 'string' }],
  ['a time without a zone is not a format', ['"2026-01-01T10:00"', '"2026-01-02T10:00"', '"2026-01-03T10:00"'], { type: 'string' }],
] // biome-ignore format: a table

for (const [claim, values, schema] of types) test(claim, (t) => t.deepEqual(inferOf(values), schema))

test('a text becomes an enum only if there are many samples', (t) => {
  const sizes = [...times(8, '"small"'), ...times(8, '"large"'), ...times(8, '"medium"')]
  t.deepEqual(inferOf(sizes), { type: 'string', enum: ['large', 'medium', 'small'] })
  t.deepEqual(inferOf([...sizes, 'null'])?.enum, ['large', 'medium', 'small', null])
  t.deepEqual(inferOf([...sizes, '"once"']), { type: 'string' })
  t.deepEqual(inferOf([...sizes, '1']), { type: ['string', 'integer'] })
  t.deepEqual(inferOf(sizes.slice(0, 10)), { type: 'string' })
  t.deepEqual(inferOf(times(50, '"same"')), { type: 'string' })
  t.deepEqual(inferOf([`[${sizes}]`])?.items, { type: 'string' })
})

test('names of properties that are data stay open', (t) => {
  const dictionary = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`word${n}`, n]))
  t.deepEqual(inferOf([JSON.stringify(dictionary), '{"word1":"x"}']), { type: 'object' })
  t.deepEqual(inferOf([JSON.stringify({ ['long '.repeat(40)]: 1 })]), { type: 'object' })
})

test('depth and width are limited', (t) => {
  const nested = `${'{"a":'.repeat(150)}1${'}'.repeat(150)}`
  const wide = JSON.stringify(
    Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [
        `p${n}`,
        Object.fromEntries(Array.from({ length: 100 }, (_, m) => [`${'x'.repeat(90)}${m}`, { y: [m] }])),
      ]),
    ),
  )
  for (const sample of [nested, wide]) {
    const text = JSON.stringify(infer([sample]), null, 2)
    t.deepEqual(checkSchema(text, 'schema'), [])
    t.deepEqual(compileSchema(text)(JSON.parse(sample)), [])
  }
})

test('the server accepts an inferred schema, and it accepts the samples that it was inferred from', (t) => {
  const random = seeded(28_002)
  for (let round = 0; round < 60; round++) {
    const samples = Array.from({ length: 1 + Math.floor(random() * 12) }, () => randomJson(random, 4).compact)
    const text = JSON.stringify(infer(samples), null, 2)
    t.deepEqual(checkSchema(text, 'schema'), [], text)
    const validate = compileSchema(text)
    for (const sample of samples) t.deepEqual(validate(JSON.parse(sample)), [], `${text} ${sample}`)
  }
})
