import test from 'ava'
import { compileSchema } from '#shared/json-schema/json-schema.ts'
import { compileQuickValidator, isLightSchema } from '#shared/json-schema/quick-validator.ts'

const list = <T>(length: number, part: (n: number) => T): T[] => Array.from({ length }, (_, n) => part(n))
const named = (length: number, part: (n: number) => [string, unknown]) => Object.fromEntries(list(length, part))

const light: [claim: string, schema: object][] = [
  ['nothing', {}],
  ['many properties', { properties: named(70, (n) => [`p${n}`, { type: 'string' }]) }],
  ['a long enum', { enum: list(5_000, (n) => `word ${n}`) }],
  ['a long description', { description: 'a'.repeat(50_000) }],
  ['a few patterns', { properties: named(10, (n) => [`p${n}`, { pattern: '^[a-z0-9-]{1,40}$' }]) }],
  ['a pattern that is rejected', { pattern: '(' }],
]
for (const [claim, schema] of light) {
  test(`a light schema: ${claim}`, (t) => t.true(isLightSchema(JSON.stringify(schema))))
}

const heavy: [claim: string, schema: object][] = [
  ['many properties', { properties: named(200, (n) => [`p${n}`, { type: 'string' }]) }],
  ['many empty branches', { anyOf: list(400, () => ({})) }],
  ['many branches that are false', { anyOf: list(400, () => false) }],
  ['many dependencies', { dependencies: named(100, (n) => [`p${n}`, ['a']]) }],
  ['many patterns', { patternProperties: named(500, (n) => [`^(a+)+${n}$`, {}]) }],
  ['one big pattern', { pattern: '^((a|b){20}){50}$' }],
  ['many schemas in a place that is not a keyword', { other: { place: list(400, () => ({ minimum: 1 })) } }],
  ['a very long text', { description: 'a'.repeat(70_000) }],
]
for (const [claim, schema] of heavy) {
  test(`not a light schema: ${claim}`, (t) => t.false(isLightSchema(JSON.stringify(schema))))
}

test('a quick validation agrees with the full one', (t) => {
  const schema = '{"required":["a"],"properties":{"a":{"type":"string","maxLength":2},"n":{"maximum":5}}}'
  const quick = compileQuickValidator(schema)
  t.true(quick.matches({ a: 'b' }))
  for (const value of [{}, { a: 1, n: 6 }, { a: 'abc', n: Number.POSITIVE_INFINITY }]) {
    t.false(quick.matches(value))
    t.deepEqual(quick.explain(value), compileSchema(schema)(value))
  }
})

test('a quick validation that takes many steps is left to the full one, which completes', (t) => {
  const schema = '{"items":{"anyOf":[{"const":1},{"const":2},{"const":3}]}}'
  const many = list(10_000, () => 3)
  t.is(compileQuickValidator(schema).matches(many), null)
  t.deepEqual(compileSchema(schema)(many), [])
})

test('an explanation that takes many steps is left to the full validation', (t) => {
  const schema = '{"items":{"type":"object","maxProperties":1,"minProperties":1}}'
  const value = ['first', ...list(20_000, () => ({ a: 1 }))]
  const quick = compileQuickValidator(schema)
  t.false(quick.matches(value))
  t.is(quick.explain(value), null)
  t.deepEqual(
    compileSchema(schema)(value).map(({ pointer, message }) => [pointer, message]),
    [['/0', 'must be object']],
  )
})
