import test from 'ava'
import { fixedHeaderErrors, headerNamePattern, headerValuePattern } from '#shared/domain/webhook/deliveries/headers.ts'

const errorsOf = (headers: Record<string, string>) => fixedHeaderErrors(Object.entries(headers), 'x-service')
const rejected = (headers: Record<string, string>) => errorsOf(headers).map(({ name }) => name)

test('ten headers with any name that is not reserved are accepted, up to the longest name and value', (t) => {
  const ten = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`x-${n}`, 'v']))
  const all = { ...ten, Authorization: 'Basic bWU6eW91', ['x'.repeat(64)]: '~'.repeat(2_000) }
  t.deepEqual(errorsOf(all), [])
  t.deepEqual(rejected({ ...all, eleventh: 'v' }), [null])
})

const owned = [
  'Host content-length Content-Type content-encoding Transfer-Encoding connection TE trailer Upgrade Expect keep-alive',
  'user-agent accept-encoding Date proxy-authorization webhook-id Webhook-Signature webhook-anything',
  'X-Service-Signature x-service-other',
].flatMap((names) => names.split(' '))

for (const name of owned) {
  test(`${name} cannot be fixed`, (t) => t.deepEqual(rejected({ [name]: 'v' }), [name]))
}

for (const name of ['', 'a b', 'a:b', 'ä', 'a\r\nb', 'x'.repeat(65)]) {
  test(`${JSON.stringify(name)} is not a header name`, (t) => t.deepEqual(rejected({ [name]: 'v' }), [name]))
}

for (const value of ['', ' a', 'a ', 'a\nb', 'a\r\nx-b: c', 'ä', '\t', 'a\u0000', 'x'.repeat(2_001)]) {
  test(`${JSON.stringify(value).slice(0, 20)} is not a header value`, (t) =>
    t.deepEqual(rejected({ 'x-a': value }), ['x-a']))
}

test('names ignore case, so duplicates are rejected', (t) => {
  t.deepEqual(rejected({ 'X-Key': 'a', 'x-key': 'b' }), ['x-key'])
})

test('the prefix is the configured one', (t) => {
  t.deepEqual(fixedHeaderErrors([['X-Service-Event', 'v']], 'x-acme'), [])
  t.is(fixedHeaderErrors([['x-ACME-event', 'v']], 'X-Acme').length, 1)
})

test('the patterns match the same in Unicode mode, which JSON Schema uses', (t) => {
  for (const pattern of [headerNamePattern, headerValuePattern]) t.notThrows(() => new RegExp(pattern, 'u'))
})
