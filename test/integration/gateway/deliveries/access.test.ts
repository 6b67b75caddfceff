import test from 'ava'
import { deliveryRoutes } from '#services/gateway/resources/deliveries/routes.ts'
import { webhookRoutes } from '#services/gateway/resources/webhooks/routes.ts'
import { until } from '../../../support/assertions/until.ts'
import { addDeliveries, makeWebhook } from '../../../support/databases/contents/rows.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call } from '../../../support/http/client.ts'
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

const ofDelivery = (webhook: string, delivery: string): Call[] => [
  { path: `/webhooks/${webhook}/deliveries/${delivery}` },
  { method: 'POST', path: `/webhooks/${webhook}/deliveries/${delivery}/redeliver` },
]

test('a delivery is found only under its own webhook, even within the account', async (t) => {
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
