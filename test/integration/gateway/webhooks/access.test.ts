import test from 'ava'
import { webhookRoutes } from '#services/gateway/resources/webhooks/routes.ts'
import { newId } from '#shared/crypto/ids.ts'
import { until } from '../../../support/assertions/until.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { startNats } from '../../../support/nats/nats.ts'
import { afterAll } from '../../../support/test-context/shared.ts'
import { answerProbes } from '../../../support/webhooks/webhook-probe.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let webhookId: string
const url = 'https://canary.example.com/'

test.before(async () => {
  const nats = await startNats()
  cleanup.teardown(nats.dispose)
  gateway = await startGateway(cleanup, { routes: webhookRoutes, natsUrl: nats.url })
  await answerProbes(cleanup, nats.url)
  await until(async () => gateway.deps.bus.connected())
  account = await makeAccount(gateway.deps.db)
  const body = { url, events: [] }
  const made = await call(gateway.port, { method: 'POST', path: '/webhooks', headers: account.user, body })
  webhookId = String(made.json?.id)
})

const calls = (id: string): Call[] => [
  { path: `/webhooks/${id}` },
  { method: 'PUT', path: `/webhooks/${id}`, body: { description: 'mine now' } },
  { method: 'DELETE', path: `/webhooks/${id}` },
]
const collection: Call[] = [{ path: '/webhooks' }, { method: 'POST', path: '/webhooks', body: { url, events: [] } }]

const told = ({ status, text, headers }: Reply) => ({
  status,
  text: text.replace(headers['x-request-id'] ?? '', ''),
  headers: { ...headers, 'x-request-id': '', date: '' },
})

test('a token that may do everything gets USER_MODE_REQUIRED, nobody gets 401', async (t) => {
  const token = await account.token()
  for (const request of [...collection, ...calls(webhookId), ...calls(newId())]) {
    t.like(await call(gateway.port, { ...request, headers: token }), {
      status: 403,
      json: { name: 'USER_MODE_REQUIRED' },
    })
    t.like(await call(gateway.port, request), { status: 401, json: { name: 'USER_NOT_AUTHENTICATED' } })
  }
})

test("another account's webhook answers byte for byte like an id that never existed, or like no id at all", async (t) => {
  const other = await makeAccount(gateway.deps.db)
  const nowhere = calls(newId())
  for (const id of [webhookId, webhookId.toUpperCase(), 'x', '%00', encodeURIComponent(url)]) {
    for (const [n, request] of calls(id).entries()) {
      const reply = await call(gateway.port, { ...request, headers: other.user })
      t.is(reply.status, 404)
      t.deepEqual(told(reply), told(await call(gateway.port, { ...(nowhere[n] as Call), headers: other.user })))
    }
  }
  const kept = await call(gateway.port, { path: `/webhooks/${webhookId}`, headers: account.user })
  t.like(kept, { status: 200, json: { url, description: '' } })
})

test('while nobody can try the url the answer is 503, and nothing is written', async (t) => {
  const lonely = await startGateway(t, { routes: webhookRoutes })
  const { user } = await makeAccount(lonely.deps.db)
  const reply = await call(lonely.port, { method: 'POST', path: '/webhooks', headers: user, body: { url, events: [] } })
  t.like(reply, { status: 503, json: { name: 'SERVICE_UNAVAILABLE' } })
  t.regex(reply.headers['retry-after'] ?? '', /^\d+$/)
  t.deepEqual(await lonely.deps.db.all('select * from webhooks'), [])
  t.is((await call(lonely.port, { path: '/webhooks', headers: user })).status, 200)
})
