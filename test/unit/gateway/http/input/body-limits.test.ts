import test from 'ava'
import { bodyLimitErrors } from '#services/gateway/http/input/body-limits.ts'

const item = { known: new Set(['data', 'tags']), untouched: ['data'] }
const paths = (body: unknown) => bodyLimitErrors(body, item).map(({ path }) => path)

test('an ordinary body has no errors, and neither has a value that is not an object', (t) => {
  for (const body of [{ data: { a: [1] }, tags: ['x'] }, { unknown: 1 }, null, 'text', 5, [1]])
    t.deepEqual(paths(body), [])
})

test('keys named __proto__ are errors in every place that joi checks', (t) => {
  t.deepEqual(paths(JSON.parse('{"__proto__":{"activated":false},"tags":[{"__proto__":1}]}')), [
    '__proto__',
    'tags.0.__proto__',
  ])
})

test('in item data __proto__ is ordinary data', (t) => {
  t.deepEqual(paths(JSON.parse('{"data":{"__proto__":{"a":1}}}')), [])
})

test('a body of mostly unknown properties is rejected before joi checks each', (t) => {
  const body = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`k${n}`, 1]))
  t.is(paths(body).length, 101)
})

test('for very many unknown properties the first 1,000 are reported', (t) => {
  const names = Array.from({ length: 100_000 }, (_, n) => `k${n}`)
  t.deepEqual(paths(Object.fromEntries(names.map((name) => [name, 1]))), names.slice(0, 1_000))
  t.is(paths({ tags: names.slice(0, 2_000).map(() => JSON.parse('{"__proto__":1}')) }).length, 1_000)
})

test('an array of very many entries is rejected, but not in item data', (t) => {
  const entries = Array.from({ length: 2_001 }, () => 1)
  t.deepEqual(paths({ tags: entries }), ['tags'])
  t.deepEqual(paths({ data: entries }), [])
})
