import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { until } from '../../../support/assertions/until.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../support/http/client.ts'
import { sharedSettings, startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { startNats } from '../../../support/nats/nats.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
/** A second gateway, which learns of a change only by message, because the caches do not expire during a test. */
let other: TestGateway
let account: TestAccount
const keepMs = 3_600_000

test.before(async () => {
  const nats = await startNats()
  cleanup.teardown(nats.dispose)
  gateway = await startGateway(cleanup, { routes, natsUrl: nats.url, keepMs })
  const env = sharedSettings(gateway.deps.config)
  other = await startGateway(cleanup, { routes, natsUrl: nats.url, keepMs, env })
  for (const { deps } of [gateway, other]) await until(async () => deps.bus.connected())
  account = await makeAccount(gateway.deps.db)
})

const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
const everything = [{ mode: 'allow', action: '*' }]
type Created = { id: string; headers: Record<string, string> }

async function create(port = gateway.port): Promise<Created> {
  const body = { name: 'ci', permissions: everything }
  const { json } = await call(port, { method: 'POST', path: '/tokens', headers: account.user, body })
  return { id: String(json?.id), headers: { 'x-api-token': String(json?.value) } }
}

const use = async ({ headers }: Pick<Created, 'headers'>, { port } = gateway) =>
  (await call(port, { path: '/lists', headers })).status
const put = (body: object) => (id: string) => ask({ method: 'PUT', path: `/tokens/${id}`, body })

/** Changes after which a token no longer works, and the status of its next use. */
const changes: [claim: string, change: (id: string) => Promise<Reply>, answered: number][] = [
  ['deactivated', put({ activated: false }), 401],
  ['expired', put({ expiresAt: '2020-01-01T00:00:00.000Z' }), 401],
  ['bound to another network', put({ ips: ['192.0.2.0/24'] }), 401],
  ['given other rules', put({ permissions: [{ mode: 'allow', action: 'create', resourceType: 'list' }] }), 403],
  ['rotated', (id) => ask({ method: 'POST', path: `/tokens/${id}/rotate` }), 401],
  ['deleted', (id) => ask({ method: 'DELETE', path: `/tokens/${id}` }), 401],
]

for (const [claim, change, answered] of changes) {
  test(`a token that was ${claim} is ${answered} at once at the same gateway, and at the others by message`, async (t) => {
    const token = await create()
    t.deepEqual([await use(token), await use(token, other)], [200, 200])
    const reply = await change(token.id)
    t.true(reply.status < 300, reply.text)
    t.is(await use(token), answered)
    await until(async () => (await use(token, other)) === answered)
  })
}

test('an activated or unlocked token works at once too, and so does the value of a rotation', async (t) => {
  const token = await create()
  await put({ activated: false })(token.id)
  t.is(await use(token), 401)
  await put({ activated: true })(token.id)
  t.is(await use(token), 200)
  const rotated = await ask({ method: 'POST', path: `/tokens/${token.id}/rotate` })
  t.is(await use({ headers: { 'x-api-token': String(rotated.json?.value) } }), 200)
})

test('without NATS tokens are managed, and a gateway without a message rejects them when its caches expire', async (t) => {
  const env = sharedSettings(gateway.deps.config)
  // Its caches expire at once, as those of every gateway do within 5 s.
  const deaf = await startGateway(t, { routes, env, keepMs: 0 })
  const lonely = await startGateway(t, { routes, env, keepMs })
  const token = await create(lonely.port)
  t.deepEqual([await use(token, lonely), await use(token, deaf)], [200, 200])
  const request = { method: 'PUT', path: `/tokens/${token.id}`, headers: account.user, body: { activated: false } }
  t.is((await call(lonely.port, request)).status, 200)
  t.deepEqual([await use(token, lonely), await use(token, deaf)], [401, 401])
})

const calls = (id: string): Call[] => [
  { path: `/tokens/${id}` },
  { method: 'PUT', path: `/tokens/${id}`, body: { name: 'mine now' } },
  { method: 'DELETE', path: `/tokens/${id}` },
  { method: 'POST', path: `/tokens/${id}/rotate` },
]
test('a token that may do everything cannot manage tokens, not even itself', async (t) => {
  const token = await create()
  for (const request of [...calls(token.id), ...calls('self').slice(1)]) {
    const { headers } = token
    t.like(await ask({ ...request, headers }), { status: 403, json: { name: 'USER_MODE_REQUIRED', code: 11_001 } })
    t.like(await ask({ ...request, headers: {} }), { status: 401, json: { name: 'USER_NOT_AUTHENTICATED' } })
  }
  t.is(await use(token), 200)
})
