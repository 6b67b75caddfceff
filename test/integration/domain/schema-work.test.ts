import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import test from 'ava'
import { compileSchema } from '#shared/json-schema/json-schema.ts'
import { atMost } from '../../support/assertions/bounds.ts'

// The work of validating by a stranger's schema is bounded.

const gaveUp = 'takes too many steps to be checked against the schema'

function validate(schema: object, value: unknown): string[] {
  return compileSchema(JSON.stringify(schema))(value).map(({ message }) => message)
}

const letters = 'a'.repeat(1_048_576)
const list = <T>(length: number, part: (n: number) => T): T[] => Array.from({ length }, (_, n) => part(n))

test('references that double at every step are stopped', (t) => {
  const steps = list(40, (n): [string, object] => [
    `d${n}`,
    { allOf: list(2, () => ({ $ref: `#/definitions/d${n + 1}` })) },
  ])
  const definitions = { ...Object.fromEntries(steps), d40: { type: 'number' } }
  t.deepEqual(validate({ $ref: '#/definitions/d0', definitions }, 1), [gaveUp])
})

test('a product of many branches and many items is stopped', (t) => {
  t.deepEqual(validate({ items: { allOf: list(1_000, (n) => ({ minimum: -n })) } }, Array(100_000).fill(1)), [gaveUp])
  t.deepEqual(
    validate(
      { allOf: list(1_000, () => ({ uniqueItems: true })) },
      list(50_000, (n) => ({ n })),
    ),
    [gaveUp],
  )
  t.deepEqual(
    validate(
      { allOf: list(1_000, () => ({ maxProperties: 1e9 })) },
      Object.fromEntries(list(50_000, (n) => [`p${n}`, n])),
    ),
    [gaveUp],
  )
  t.deepEqual(validate({ allOf: list(1_000, () => ({ format: 'regex' })) }, letters), [gaveUp])
})

test('the elements of a list count, even if there is little to validate', (t) => {
  const numbers = list(200_000, (n) => n)
  t.deepEqual(validate({ allOf: list(100, () => ({ uniqueItems: true })) }, numbers), [gaveUp])
  const called = list(100, () => ({ items: { $ref: '#/definitions/empty' } }))
  t.deepEqual(validate({ allOf: called, definitions: { empty: {} } }, numbers), [gaveUp])
})

test('an error for each of many items is not reported if reporting all would cost too much', (t) => {
  const schema = { allOf: list(100, () => ({ contains: false })) }
  t.deepEqual(
    validate(
      schema,
      list(5_000, (n) => n),
    ),
    ['must contain at least 1 valid item(s)'],
  )
})

test('a big pattern with a long text is stopped', (t) => {
  t.deepEqual(validate({ pattern: '^[ab]*a[ab]{900}$' }, letters), [gaveUp])
  t.deepEqual(validate({ pattern: '^[ab]*$' }, letters), [])
  t.deepEqual(validate({ pattern: '^[ab]*a[ab]{900}$' }, letters.slice(0, 5_000)), [])
})

test('a deep value under a recursive schema is validated', (t) => {
  const variant = (type: string) => ({
    type: 'object',
    required: ['type'],
    properties: { type: { const: type }, left: { $ref: '#/definitions/node' }, right: { $ref: '#/definitions/node' } },
  })
  const definitions = { node: { oneOf: [variant('a'), variant('b'), { type: 'number' }] } }
  const tree = (leaf: unknown) =>
    list(190, (n) => (n % 2 ? 'a' : 'b')).reduce<unknown>((inner, type) => ({ type, left: inner, right: 1 }), leaf)
  t.deepEqual(validate({ $ref: '#/definitions/node', definitions }, tree(1)), [])
  t.true(validate({ $ref: '#/definitions/node', definitions }, tree('x')).length > 0)
})

test('a value of a megabyte under an ordinary schema is validated', (t) => {
  const schema = {
    items: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', maxLength: 100 },
        tags: { items: { pattern: '^[a-z]+$' } },
        n: { minimum: 0 },
      },
      additionalProperties: false,
    },
  }
  const value = list(20_000, (n) => ({ name: `name ${n}`, n, tags: ['a', 'bcd'] }))
  t.deepEqual(validate(schema, value), [])
  t.deepEqual(validate(schema, [...value, { name: 1 }]), ['must be string'])
})

/** Validations that would take minutes or longer if they were not linear. */
const linear: [claim: string, schema: object, value: () => unknown, errors: string[]][] = [
  ['uniqueItems of numbers', { uniqueItems: true }, () => list(1_048_576, (n) => n), []],
  ['uniqueItems of objects', { uniqueItems: true }, () => list(131_072, (n) => ({ a: n, b: [n] })), []],
  [
    'a long enum',
    { items: { enum: list(100_000, (n) => `word ${n}`) } },
    () => Array(1_048_576).fill('word 99999'),
    [],
  ],
  [
    'a pattern that others try exponentially',
    { pattern: '^(a+)+$' },
    () => `${letters}!`,
    ['must match pattern "^(a+)+$"'],
  ],
]
for (const [claim, schema, value, errors] of linear) {
  test(`time is linear in the value: ${claim}`, (t) => t.deepEqual(validate(schema, value()), errors))
}

test('a compiled schema is freed with everything that compiled it', async (t) => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const validators = list(20, (n) => new WeakRef(compileSchema(`{"enum":[${n}],"pattern":"^${n}"}`)))
  // A WeakRef keeps its target alive until the end of the turn in which it was created or read.
  await new Promise((resolve) => setImmediate(resolve))
  collect()
  atMost(t, validators.filter((validator) => validator.deref() !== undefined).length, 1, 'validators kept')
})
