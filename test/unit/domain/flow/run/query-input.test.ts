import test from 'ava'
import { queryInput } from '#shared/domain/flow/run/query-input.ts'

const schema = JSON.stringify({
  properties: {
    n: { type: 'integer' },
    on: { type: ['boolean', 'null'] },
    text: { type: 'string' },
    constructor: { type: 'number' },
  },
})
const inputOf = (parameters: Record<string, unknown>, of: string | null = schema) =>
  JSON.stringify(queryInput(parameters, of))

test('a parameter is a number or a flag where the schema of the input says so, and text else', (t) => {
  t.is(inputOf({ n: '12', on: 'true', text: '12', other: '12' }), '{"n":12,"on":true,"text":"12","other":"12"}')
  t.is(inputOf({ n: '9007199254740993' }), '{"n":9007199254740993}')
  t.is(inputOf({ n: '012', on: 'yes', other: 'true' }), '{"n":"012","on":"yes","other":"true"}')
  t.is(inputOf({ n: '12' }, null), '{"n":"12"}')
})

test('what begins with a bracket and is JSON is taken as JSON', (t) => {
  t.is(inputOf({ a: '{"b":[1e400]}', c: '[1' }), '{"a":{"b":[1e400]},"c":"[1"}')
  t.is(inputOf({ a: '"text"', b: 'null' }), '{"a":"\\"text\\"","b":"null"}')
})

test('a parameter that is repeated is a list, and names of prototypes are names as all others', (t) => {
  t.is(inputOf({ a: ['1', '[2]'] }), '{"a":["1",[2]]}')
  t.is(inputOf({ constructor: '1', toString: 'x' }), '{"constructor":1,"toString":"x"}')
  t.is(inputOf(JSON.parse('{"__proto__": "x"}')), '{"__proto__":"x"}')
})
