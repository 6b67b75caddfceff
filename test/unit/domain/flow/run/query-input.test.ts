import test from 'ava'
import { queryInput } from '#shared/domain/flow/run/query-input.ts'
import { createValueTypes } from '#shared/domain/schema/value-types.ts'

const schema = {
  properties: {
    n: { type: 'integer' },
    on: { type: ['boolean', 'null'] },
    text: { type: 'string' },
    constructor: { type: 'number' },
    'a/b': { type: 'number' },
  },
}
const inputOf = (parameters: Record<string, unknown>, of: unknown = schema) =>
  JSON.stringify(queryInput(parameters, createValueTypes(of)))

test('a parameter is a number or a flag if the schema of the input says so, and text otherwise', (t) => {
  t.is(inputOf({ n: '12', on: 'true', text: '12', other: '12' }), '{"n":12,"on":true,"text":"12","other":"12"}')
  t.is(inputOf({ n: '9007199254740993' }), '{"n":9007199254740993}')
  t.is(inputOf({ n: '012', on: 'yes', other: 'true' }), '{"n":"012","on":"yes","other":"true"}')
  t.is(inputOf({ n: '12' }, null), '{"n":"12"}')
})

test('the schema may say so in references, alternatives, enum and const, and for each element of a repeated parameter', (t) => {
  const of = {
    definitions: { count: { type: 'integer' } },
    allOf: [{ properties: { ruled: { minimum: 0 } } }, { properties: { ruled: { type: 'number' } } }],
    properties: {
      referred: { $ref: '#/definitions/count' },
      either: { anyOf: [{ type: 'string', pattern: '^x' }, { $ref: '#/definitions/count' }] },
      one: { oneOf: [{ type: 'boolean' }, { type: 'null' }] },
      listed: { enum: [1, 2] },
      fixed: { const: true },
      many: { type: 'array', items: { $ref: '#/definitions/count' } },
      pair: { items: [{ type: 'number' }, { type: 'string' }] },
    },
  }
  const numbers = { ruled: '5', referred: '5', either: '5', listed: '2', 'any other': '5' }
  t.is(inputOf(numbers, of), '{"ruled":5,"referred":5,"either":5,"listed":2,"any other":"5"}')
  t.is(inputOf({ one: 'true', fixed: 'true' }, of), '{"one":true,"fixed":true}')
  t.is(inputOf({ other: 'false' }, { additionalProperties: { type: 'boolean' } }), '{"other":false}')
  t.is(inputOf({ many: ['1', '2'], pair: ['1', '2'] }, of), '{"many":[1,2],"pair":[1,"2"]}')
  t.is(inputOf({ 'a/b': '1' }), '{"a/b":1}')
})

test('a text that begins with a bracket and is JSON is read as JSON', (t) => {
  t.is(inputOf({ a: '{"b":[1e400]}', c: '[1' }), '{"a":{"b":[1e400]},"c":"[1"}')
  t.is(inputOf({ a: '"text"', b: 'null' }), '{"a":"\\"text\\"","b":"null"}')
})

test('a repeated parameter is a list, and names of prototypes are ordinary names', (t) => {
  t.is(inputOf({ a: ['1', '[2]'] }), '{"a":["1",[2]]}')
  t.is(inputOf({ constructor: '1', toString: 'x' }), '{"constructor":1,"toString":"x"}')
  t.is(inputOf(JSON.parse('{"__proto__": "x"}')), '{"__proto__":"x"}')
})

test('JSON in a parameter is read by the same rules as bodies', (t) => {
  const rejected = (parameters: Record<string, unknown>) => {
    const error = t.throws(() => queryInput(parameters, createValueTypes(schema)))
    return Object(error).details?.errors
  }
  const why = (message: string) => [{ path: 'a', message: `is JSON that is not accepted: ${message}` }]
  const mark = '\\ud800'
  t.like(rejected({ a: `[10000000000000000, "${mark}5"]` }), why('half of a surrogate pair at character 21'))
  t.like(rejected({ a: '{"b":1,"b":2}' }), why('a key is repeated in one object at character 7'))
  t.like(rejected({ a: '{"\\u0062":1,"b":2}' }), why('a key is repeated in one object at character 12'))
  t.like(
    rejected({ a: ['1', `${'['.repeat(5_000)}${']'.repeat(5_000)}`] }),
    why('nested deeper than 199 levels at character 199'),
  )
  t.like(rejected({ a: '{"b":1,"b":2}', c: '[1', d: '["\\udc00"]' }), [{ path: 'a' }, { path: 'd' }])
  const deepest = `${'['.repeat(199)}${']'.repeat(199)}`
  t.is(inputOf({ a: deepest }), `{"a":${deepest}}`)
})
