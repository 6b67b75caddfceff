import test from 'ava'
import Joi from 'joi'
import { created, none, ok } from '#services/gateway/request/response.ts'
import { queryBoolean } from '#services/gateway/schemas/query-schemas.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { play, type Scenario } from '../../../support/http/scenario.ts'
import { testRoute } from '../../../support/http/test-route.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const schema = Joi.object({
  title: Joi.string().max(20).required(),
  code: Joi.string().pattern(/^[a-z]+$/),
  count: Joi.number(),
  data: Joi.any(),
  inner: Joi.object({ flag: Joi.boolean(), names: Joi.array().items(Joi.string()) }),
})
const tooMany = { path: 'data', message: 'has too many entries' }
const body = { maxBytes: 1_000, schema, text: ['data'] }

const routes = [
  testRoute({
    method: 'POST',
    path: '/needed',
    permission: 'public',
    body,
    query: Joi.object({ dryRun: queryBoolean() }),
    handle: async ({ body, text }) => created({ body, text }),
  }),
  testRoute({
    method: 'PUT',
    path: '/optional',
    permission: 'public',
    body: { ...body, optional: true },
    handle: async ({ body }) => ok({ absent: body === undefined }),
  }),
  testRoute({
    method: 'PUT',
    path: '/any',
    permission: 'public',
    body: { maxBytes: 1_000, anyJson: {}, types: ['application/json-patch+json'] },
    handle: async ({ bodyText }) => ok({ bodyText }),
  }),
  testRoute({
    method: 'POST',
    path: '/counted',
    permission: 'public',
    body: { maxBytes: 1_000_000, schema, text: ['data'], most: { of: 'data', entries: 40_000, error: tooMany } },
    handle: async ({ text }) => ok({ length: text.data?.length }),
  }),
  testRoute({ method: 'DELETE', path: '/none', permission: 'public', handle: async () => none() }),
  testRoute({ method: 'GET', path: '/none', permission: 'public', handle: async () => ok({}) }),
]

const cleanup = afterAll()
let gateway: TestGateway
test.before(async () => {
  gateway = await startGateway(cleanup, { routes })
})

const asJson = { 'content-type': 'application/json' }
const type = (value: string) => ({ headers: { 'content-type': value } })
const good = '{"title":"x"}'
const padded = (length: number) => good.replace('}', `${' '.repeat(length - good.length)}}`)
const nested = (depth: number) => `{"title":"x","data":${'['.repeat(depth)}${']'.repeat(depth)}}`
const post = (body: string | Buffer) => ({ method: 'POST', path: '/needed', headers: asJson, body })
const any = (body: string) => ({ method: 'PUT', path: '/any', headers: asJson, body })
const kept = (bodyText: string) => ({ is: '200', contains: { bodyText } })
/** A body for the route that counts; tests make it much longer than one step of the parser. */
const counted = (more: string) => ({ ...post(`{ "title":"x" , ${more}}`), path: '/counted' })
const zeros = (count: number) => Array(count).fill(' 0').join()
const badJson = '400 MALFORMED_JSON'
const expectedAt = (line: number, column: number, why: string) =>
  `The body is not well-formed JSON: ${why} (line ${line}, column ${column}).`
const notValid = '400 VALIDATION_FAILED'
const badType = '415 UNSUPPORTED_MEDIA_TYPE'

const scenarios: Record<string, Scenario> = {
  'a body that fits': { ...post(good), is: '201', contains: { body: { title: 'x' } } },
  'a content type with parameters': { ...post(good), ...type('Application/JSON ; charset=utf-8'), is: '201' },
  'ASCII, which is UTF-8 too': { ...post(good), ...type('application/json; charset="US-ASCII"'), is: '201' },
  'another encoding of text': {
    ...post(good),
    ...type('application/json; charset=UTF-16'),
    is: badType,
    contains: { message: 'Send the body in UTF-8; content-type declares utf-16.' },
  },
  'Latin-1 after another parameter': { ...post(good), ...type('application/json; a=b;charset=latin1'), is: badType },
  'source text is passed on compact, otherwise unchanged': {
    ...post('{"title":"x","data": { "b" : 1.50, "1": 12345678901234567890 } }'),
    is: '201',
    contains: { text: { data: '{"b":1.50,"1":12345678901234567890}' } },
  },
  'in data __proto__ is data': { ...post('{"title":"x","data":{"__proto__":1}}'), is: '201' },
  'elsewhere __proto__ is an unknown property': {
    ...post('{"title":"x","__proto__":{"count":1},"inner":{"__proto__":{}}}'),
    is: notValid,
    errors: ['__proto__', 'inner.__proto__'],
  },
  'all errors of body and query at once, and text is not a number': {
    ...post('{"count":"1","inner":{"flag":"true","names":["a",5],"extra":1},"other":1}'),
    path: '/needed?dryRun=maybe',
    is: notValid,
    errors: ['count', 'dryRun', 'inner.extra', 'inner.flag', 'inner.names.1', 'other', 'title'],
  },
  'a value that does not fit its pattern is not repeated': {
    ...post('{"title":"x","code":"CANARY-7"}'),
    is: notValid,
    errors: ['code'],
    lacks: 'CANARY',
  },
  'very many unknown properties': {
    ...post(`{"title":"x",${Array.from({ length: 120 }, (_, n) => `"${n}":1`)}}`),
    is: notValid,
    errors: Array.from({ length: 120 }, (_, n) => String(n)).sort(),
  },
  'a long body with as many entries as it may have': {
    ...counted(`"data": [${zeros(40_000)}]`),
    is: '200',
    contains: { length: 80_001 },
  },
  'a long body with one entry more, before the rest of it is found to be broken': {
    ...counted(`"data": [${zeros(40_001)}], broken`),
    is: notValid,
    errors: ['data'],
  },
  'a long body with a repeated key far after the first': {
    ...counted(`"data":{"a":[${zeros(30_000)}],"b":0,"\\u0061":[${zeros(9_000)}]}`),
    is: badJson,
    contains: { message: expectedAt(1, 90_037, 'a key is repeated in one object') },
  },
  'a long body that ends too early': {
    ...counted(`"data":\n[${zeros(39_000)},`),
    is: badJson,
    contains: { message: expectedAt(2, 117_002, 'a value is expected here') },
  },
  'a long body with very many unknown properties, of which the first 1,000 are reported': {
    ...counted(Array.from({ length: 20_000 }, (_, n) => `"${n}":${n === 19_999 ? 'broken' : 1}`).join()),
    is: notValid,
    errors: Array.from({ length: 1_000 }, (_, n) => String(n)).sort(),
  },
  'an array': { ...post('[]'), is: notValid, errors: [''] },
  'null is not an absent body': { ...post('null'), method: 'PUT', path: '/optional', is: notValid, errors: [''] },
  'a missing body where one is needed': { ...post(''), headers: {}, is: notValid, errors: ['body'] },
  'an empty body with a content type where one is needed': { ...post(''), is: notValid, errors: ['body'] },
  'an empty body with a content type where it is optional': {
    ...post(''),
    method: 'PUT',
    path: '/optional',
    is: '200',
    contains: { absent: true },
  },
  'broken JSON': { ...post('{"title":'), is: badJson },
  'a byte-order mark': {
    ...post(`\ufeff${good}`),
    is: badJson,
    contains: { message: expectedAt(1, 1, 'a value is expected here, and not the byte-order mark U+FEFF') },
  },
  'the byte-order mark of UTF-16': {
    ...post(Buffer.from(`\ufeff${good}`, 'utf16le')),
    is: badJson,
    contains: {
      message:
        'The body is not well-formed JSON: it begins with the byte-order mark of UTF-16, and is not UTF-8 (byte 0).',
    },
  },
  'a body with two content-encodings': {
    ...post(good),
    headers: { ...asJson, 'content-encoding': 'identity, br' },
    is: badType,
  },
  'a repeated key': { ...post('{"title":"x","title":"y"}'), is: badJson },
  'a repeated key deep in data, spelled differently': {
    ...post('{"title":"x","data":[{"a":1,"\\u0061":2}]}'),
    is: badJson,
  },
  'bytes that are not UTF-8': { ...post(Buffer.from('{"title":"\xff"}', 'latin1')), is: badJson },
  'half a surrogate pair': { ...post('{"title":"\\ud800"}'), is: badJson },
  'nesting of 200 levels': { ...post(nested(199)), is: '201' },
  'nesting of more than 200 levels': { ...post(nested(200)), is: badJson },
  'a body as long as is allowed': { ...post(padded(1_000)), is: '201' },
  'a body one byte longer than is allowed': { ...post(padded(1_001)), is: '413 PAYLOAD_TOO_LARGE' },
  'a body much longer than is allowed': { ...post(' '.repeat(3_000_000)), is: '413 PAYLOAD_TOO_LARGE' },
  'another content type': {
    ...post(good),
    ...type('text/plain'),
    is: badType,
    contains: { message: 'Send the body as application/json.' },
  },
  'another content type where several are accepted': {
    ...any('[]'),
    ...type('application/merge-patch+json'),
    is: badType,
    contains: { message: 'Send the body as application/json or application/json-patch+json.' },
  },
  'a form': { ...post('title=x'), ...type('application/x-www-form-urlencoded'), is: badType },
  'a type that begins alike': { ...post(good), ...type('application/jsonp'), is: badType },
  'no content type': { ...post(good), headers: {}, is: badType },
  'two content types': {
    ...post(good),
    headers: Object.entries({ ...asJson, 'Content-Type': 'application/json' }).flat(),
    is: badType,
  },
  'a compressed body': { ...post(good), headers: { ...asJson, 'content-encoding': 'gzip' }, is: badType },
  'any value where any is accepted, passed on unchanged': {
    ...any('[ 1.50, {"__proto__" : 1e400} ]'),
    ...kept('[1.50,{"__proto__":1e400}]'),
  },
  'a scalar where any value is accepted': { ...any(' "a b" '), ...kept('"a b"') },
  'null where any value is accepted': { ...any('null'), ...kept('null') },
  'a content type that the route names': { ...any('[]'), ...type('Application/JSON-Patch+json; x=y'), ...kept('[]') },
  'a content type that only another route names': {
    ...post(good),
    ...type('application/json-patch+json'),
    is: badType,
  },
  'a repeated key where any value is accepted': { ...any('[{"a":1,"a":2}]'), is: badJson },
  'a missing body where any value is accepted': { ...any(''), is: notValid, errors: ['body'] },
  'properties on a route that accepts none': {
    ...post('{"force":true}'),
    method: 'DELETE',
    path: '/none',
    is: notValid,
    errors: ['force'],
  },
  'an empty object on a route that accepts no body': { ...post('{}'), method: 'DELETE', path: '/none', is: '204' },
  'a content type without body on DELETE': { ...post(''), method: 'DELETE', path: '/none', is: '204' },
  'a content type without body on GET': { ...post(''), method: 'GET', path: '/none', is: '200' },
  'a body on GET is ignored': { ...post('{"broken'), method: 'GET', path: '/none', is: '200' },
}

for (const [claim, scenario] of Object.entries(scenarios)) {
  test(`${claim}: ${scenario.is}`, (t) => play(t, gateway.port, scenario))
}
