import test from 'ava'
import { parsePatch } from '#services/gateway/resources/items/data/patch-body.ts'
import { AppError } from '#shared/errors.ts'

const parse = (text: string) => parsePatch(JSON.parse(text), text)

test('operations keep the text of their values, and only the members that they use', (t) => {
  const text =
    '[{"op":"add","path":"/a","value":{"10":1e400,"2":1.0},"from":"/x"},{"value":"\\u0061","path":"","op":"test"},' +
    '{"op":"move","from":"/a","path":"/b","value":1,"__proto__":{}},{"op":"remove","path":"/c","value":null}]'
  t.deepEqual(parse(text), [
    { op: 'add', path: '/a', value: '{"10":1e400,"2":1.0}' },
    { op: 'test', path: '', value: '"\\u0061"' },
    { op: 'move', from: '/a', path: '/b' },
    { op: 'remove', path: '/c' },
  ])
})

test('an empty patch has no operations, and 1,000 are accepted', (t) => {
  t.deepEqual(parse('[]'), [])
  t.is(parse(`[${Array(1_000).fill('{"op":"remove","path":"/a"}')}]`).length, 1_000)
})

test('of many errors the first thousand are reported, as for any body', (t) => {
  const body = Array(1_000).fill({})
  const error = t.throws(() => parsePatch(body, JSON.stringify(body)), { instanceOf: AppError })
  t.is((error?.details?.errors as unknown[] | undefined)?.length, 1_000)
})
