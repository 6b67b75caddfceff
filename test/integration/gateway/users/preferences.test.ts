import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { bodyBytes, maxJsonDepth } from '#shared/domain/limits.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { type Credentials, makeAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
test.before(async () => {
  gateway = await startGateway(cleanup, { routes })
})

const path = '/auth/self/preferences'
const get = (headers: Credentials) => call(gateway.port, { path, headers })
/** Sends the text unchanged. */
const put = (user: Credentials, body: string, more: Credentials = {}) =>
  call(gateway.port, { method: 'PUT', path, headers: { ...user, ...more, 'content-type': 'application/json' }, body })
const newUser = async () => (await makeAccount(gateway.deps.db)).user

test('preferences are an empty object at first, and then the last ones sent, as a whole', async (t) => {
  const user = await newUser()
  t.is((await get(user)).text, '{}')
  t.is((await put(user, '{"scheme":"dark","keys":true}')).text, '{"scheme":"dark","keys":true}')
  t.is((await put(user, '{"keys":false}')).status, 200)
  t.deepEqual((await get(user)).json, { keys: false })
  t.is((await get(await newUser())).text, '{}')
})

test('preferences keep every digit and the order of their names; only white space is removed', async (t) => {
  const user = await newUser()
  const text = '{"n":9007199254740993,"10":1e400,"2":"\\u0000 é","views":[{"a":null}]}'
  t.is((await put(user, text.replaceAll(',', ' ,\n '))).text, text)
  t.is((await get(user)).text, text)
})

test('a change of preferences is not a change of the user, and has no entry in the event log', async (t) => {
  const user = await newUser()
  const self = () => call(gateway.port, { path: '/auth/self', headers: user })
  const before = await self()
  await put(user, '{"scheme":"dark"}')
  t.deepEqual((await self()).json, before.json)
  t.like((await call(gateway.port, { path: '/events', headers: user })).json, { total: 0 })
})

for (const body of ['[]', 'null', '"dark"', '1', 'true']) {
  test(`preferences of ${body} are rejected: they must be an object`, async (t) => {
    const user = await newUser()
    const rejected = await put(user, body)
    t.is(rejected.status, 400)
    t.deepEqual(errorPaths(rejected), ['body'])
    t.is((await get(user)).text, '{}')
  })
}

test('preferences have at most 64 KiB, and nest as deeply as any JSON', async (t) => {
  const user = await newUser()
  const sized = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`
  t.is((await put(user, sized(bodyBytes.preferences))).status, 200)
  t.is((await get(user)).text.length, 65_536)
  t.like(await put(user, sized(bodyBytes.preferences + 1)), { status: 413, json: { name: 'PAYLOAD_TOO_LARGE' } })
  const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
  t.is((await put(user, nested(maxJsonDepth))).status, 200)
  t.is((await put(user, nested(maxJsonDepth + 1))).status, 400)
})

test('a condition is rejected instead of ignored: of two writes the last one stays', async (t) => {
  const rejected = await put(await newUser(), '{}', { 'if-match': '"1"' })
  t.is(rejected.status, 400)
  t.deepEqual(errorPaths(rejected), ['if-match'])
})

test('the user sees the price plan of the account with its limits, as a token does, and the version', async (t) => {
  const { user, token } = await makeAccount(gateway.deps.db, { plan: 'indie' })
  const self = await call(gateway.port, { path: '/auth/self', headers: user })
  t.deepEqual(Object.keys(self.json ?? {}), ['user', 'account', 'plan', 'usage', 'version'])
  t.like(self.json?.plan, { id: 'indie', maxWebhooks: 5, maxLists: null })
  const ofToken = await call(gateway.port, { path: '/tokens/self', headers: await token() })
  t.deepEqual(self.json?.plan, ofToken.json?.plan)
  const description = await call(gateway.port, { path: '/openapi.json' })
  t.is(self.json?.version, Object(description.json?.info).version)
})
