import test from 'ava'
import { deliveryRoutes } from '#services/gateway/resources/deliveries/routes.ts'
import { webhookRoutes } from '#services/gateway/resources/webhooks/routes.ts'
import { newId } from '#shared/crypto/ids.ts'
import { until } from '../../../support/assertions/until.ts'
import { addDeliveries, makeWebhook } from '../../../support/databases/contents/rows.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { startNats } from '../../../support/nats/nats.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let webhookId: string
let otherWebhookId: string
let deliveryId: string

test.before(async () => {
  const nats = await startNats()
  cleanup.teardown(nats.dispose)
  gateway = await startGateway(cleanup, { routes: [...webhookRoutes, ...deliveryRoutes], natsUrl: nats.url })
  await until(async () => gateway.deps.bus.connected())
  account = await makeAccount(gateway.deps.db)
  const { accountId } = account
  webhookId = await makeWebhook(gateway.deps.db, { accountId, url: 'https://canary.example.com/', secret: 'canary' })
  otherWebhookId = await makeWebhook(gateway.deps.db, { accountId })
  ;[deliveryId = ''] = await addDeliveries(gateway.deps.db, { accountId, webhookId }, [{ status: 'failed' }])
})

const body = { status: 'failed', since: '2026-01-01' }

const ofWebhook = (webhook: string): Call[] => [
  { path: `/webhooks/${webhook}/deliveries` },
  { path: `/webhooks/${webhook}/deliveries?after=` },
  { method: 'POST', path: `/webhooks/${webhook}/deliveries/redeliver`, body },
  { method: 'POST', path: `/webhooks/${webhook}/ping` },
  { method: 'POST', path: `/webhooks/${webhook}/secret` },
  { method: 'POST', path: `/webhooks/${webhook}/missed/clear` },
]
const ofDelivery = (webhook: string, delivery: string): Call[] => [
  { path: `/webhooks/${webhook}/deliveries/${delivery}` },
  { method: 'POST', path: `/webhooks/${webhook}/deliveries/${delivery}/redeliver` },
]

const told = ({ status, text, headers }: Reply) => ({
  status,
  text: text.replace(headers['x-request-id'] ?? '', ''),
  headers: { ...headers, 'x-request-id': '', date: '' },
})

test('a token that may do everything gets USER_MODE_REQUIRED, nobody gets 401', async (t) => {
  const token = await account.token()
  for (const request of [...ofWebhook(webhookId), ...ofDelivery(webhookId, deliveryId), ...ofWebhook(newId())]) {
    const refused = await call(gateway.port, { ...request, headers: token })
    t.like(refused, { status: 403, json: { name: 'USER_MODE_REQUIRED' } })
    t.like(await call(gateway.port, request), { status: 401, json: { name: 'USER_NOT_AUTHENTICATED' } })
  }
})

test("what is another account's answers byte for byte like an id that never existed, or like no id at all", async (t) => {
  const stranger = await makeAccount(gateway.deps.db)
  const own = await makeWebhook(gateway.deps.db, { accountId: stranger.accountId })
  const ask = (request: Call) => call(gateway.port, { ...request, headers: stranger.user })
  const nowhere = await ask({ path: `/webhooks/${newId()}/deliveries` })
  t.is(nowhere.status, 404)
  const requests = [
    ...[webhookId, webhookId.replace('0', 'A'), 'x', '%00'].flatMap(ofWebhook),
    ...[own, webhookId].flatMap((webhook) => ofDelivery(webhook, deliveryId)),
    ...ofDelivery(own, newId()),
    ...ofDelivery(own, 'x'),
  ]
  for (const request of requests) t.deepEqual(told(await ask(request)), told(nowhere), request.path)
  t.deepEqual((await ask({ path: `/webhooks/${own}/deliveries` })).json?.data, [])
})

test('a delivery is found under its own webhook only, also within the account', async (t) => {
  for (const request of ofDelivery(otherWebhookId, deliveryId)) {
    t.is((await call(gateway.port, { ...request, headers: account.user })).status, 404)
  }
  t.like(await gateway.deps.db.get('select status from deliveries where id = ?', [deliveryId]), { status: 'failed' })
  const { status } = await call(gateway.port, {
    path: `/webhooks/${webhookId}/deliveries/${deliveryId}`,
    headers: account.user,
  })
  t.is(status, 200)
})

test('without a dispatcher a ping is 503, and leaves nothing', async (t) => {
  const reply = await call(gateway.port, { method: 'POST', path: `/webhooks/${webhookId}/ping`, headers: account.user })
  t.like(reply, { status: 503, json: { name: 'SERVICE_UNAVAILABLE' } })
  t.deepEqual(await gateway.deps.db.all("select id from deliveries where event = 'ping'"), [])
})
