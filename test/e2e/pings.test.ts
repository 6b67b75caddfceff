import test from 'ava'
import { deliveriesOf, quickRetries } from '../support/deliveries.ts'
import { wrongWaitingCounts } from '../support/rows.ts'
import { createItems, receivedBy, type SceneWebhook, setScene } from '../support/scene.ts'
import { until } from '../support/until.ts'
import { verifyServiceSignature, verifyStandardSignature } from '../support/verify-signature.ts'

async function oneWebhook(t: Parameters<typeof setScene>[0], env: Record<string, string> = {}) {
  const scene = await setScene(t, { env: { ...quickRetries, ...env } })
  const [webhook] = scene.webhooks as [SceneWebhook]
  const counters = async () => {
    const { failureCount, waitingCount, missedCount, activated } = (await deliveriesOf(scene, webhook).webhook()).json
    return { failureCount, waitingCount, missedCount, activated }
  }
  return { ...scene, scene, webhook, calls: deliveriesOf(scene, webhook), counters }
}

const untouched = { failureCount: 0, waitingCount: 0, missedCount: 0, activated: true }

test.serial('a ping is answered with its delivery whatever the receiver says, and changes no counter', async (t) => {
  t.timeout(60_000)
  const { scene, receiver, webhook, calls, counters } = await oneWebhook(t, { LISTD_WEBHOOKS_TIMEOUT_MS: '1000' })
  await calls.put({ description: 'the kitchen' })
  const good = await calls.ping()
  t.like(good, { status: 200, json: { event: 'ping', status: 'succeeded', attempts: 1, itemId: null, listId: null } })
  const [request] = receivedBy(webhook)
  if (!request) return t.fail('nothing was received')
  const payload = Object(verifyStandardSignature(request, webhook.secret))
  t.deepEqual(verifyServiceSignature(request, webhook.secret), payload)
  t.is(request.headers['x-service-event'], 'ping')
  t.like(payload, { id: good.json.eventId, type: 'ping' })
  const actor = { authMode: 'user', tokenId: null, identityId: null }
  t.deepEqual(payload.data, { webhook: { id: webhook.id, description: 'the kitchen' }, actor })

  receiver.reply = { status: 500, body: 'no' }
  t.like((await calls.ping()).json, { status: 'failed', attempts: 1, response: { status: 500, body: 'no' } })
  receiver.reply = { hang: 'before-head' }
  t.like((await calls.ping()).json, { status: 'failed', attempts: 1, response: null, error: 'timeout' })
  t.is(receivedBy(webhook).length, 3)
  t.deepEqual(await counters(), untouched)
  t.is((await calls.list('?event=ping')).json.total, 3)
  t.is((await calls.redeliver(good.json.id)).status, 400)
  t.deepEqual(await wrongWaitingCounts(scene.db), [])
})

test.serial('a ping is sent also to a disabled webhook, and nothing else is', async (t) => {
  t.timeout(60_000)
  const { scene, receiver, webhook, calls } = await oneWebhook(t)
  receiver.reply = { status: 500 }
  await createItems(scene, 25)
  await until(async () => (await calls.webhook()).json.activated === false, { what: 'the webhook to be disabled' })
  const before = receivedBy(webhook).length
  t.like(await calls.ping(), { status: 200, json: { status: 'failed' } })
  receiver.reply = {}
  t.like(await calls.ping(), { status: 200, json: { status: 'succeeded' } })
  t.is(receivedBy(webhook).length, before + 2)
  t.like((await calls.webhook()).json, { activated: false, failureCount: 20, waitingCount: 5 })
  t.deepEqual(await wrongWaitingCounts(scene.db), [])
})

test.serial('a ping is the next in turn: it waits for the open request and for none behind it', async (t) => {
  t.timeout(60_000)
  const { scene, receiver, webhook, calls } = await oneWebhook(t, { LISTD_WEBHOOKS_TIMEOUT_MS: '2000' })
  receiver.reply = ({ headers }) => (headers['x-service-event'] === 'ping' ? {} : { hang: 'before-head' })
  await createItems(scene, 10)
  await receiver.received(1)
  const startedAt = performance.now()
  const pings = await Promise.all([1, 2, 3].map(() => calls.ping()))
  t.true(performance.now() - startedAt < 4_000)
  t.true(pings.every(({ status, json }) => status === 200 && json.status === 'succeeded'))
  const events = receivedBy(webhook).map(({ headers }) => headers['x-service-event'])
  t.deepEqual(events.slice(0, 4), ['item.created', 'ping', 'ping', 'ping'])
})

test.serial('a ping without a turn is WEBHOOK_BUSY after twice the time-out and 5 s, and leaves nothing', async (t) => {
  t.timeout(60_000)
  const { scene, listd, webhook, calls } = await oneWebhook(t, { LISTD_WEBHOOKS_TIMEOUT_MS: '200' })
  // The lease of a dispatcher that is frozen runs on; another one answers that somebody is there.
  scene.receiver.reply = { hang: 'before-head' }
  await scene.db.run("update webhook_heads set lease_owner = 'somebody else', lease_until = ?, due_at = ?", [
    ...[Date.now() + 60_000, Date.now() + 60_000],
  ])
  const startedAt = performance.now()
  const busy = await calls.ping()
  const tookMs = performance.now() - startedAt
  t.like(busy, { status: 409, json: { name: 'WEBHOOK_BUSY', code: 24005 } })
  t.true(tookMs >= 5_400 && tookMs < 7_500, `took ${tookMs} ms`)
  for (const table of ['deliveries', 'event_payloads']) t.deepEqual(await scene.db.all(`select * from ${table}`), [])
  t.deepEqual(await wrongWaitingCounts(scene.db), [])
  await scene.db.run('update webhook_heads set due_at = 0, lease_until = 0')
  await until(async () => (await scene.db.all('select * from webhook_heads where lease_owner is null')).length === 1)
  t.is(receivedBy(webhook).length, 0)
  t.is(listd.logged('"level":"error"').length, 0)
})

test.serial('a dispatcher killed amid a ping: the next one settles it, and nothing is sent twice', async (t) => {
  t.timeout(60_000)
  const { scene, listd, receiver, webhook, calls, counters } = await oneWebhook(t)
  receiver.reply = { hang: 'before-head' }
  const asked = calls.ping()
  await receiver.received(1)
  listd.signal('webhook-dispatcher', 'SIGKILL')
  t.like(await asked, { status: 200, json: { status: 'failed', error: 'interrupted', attempts: 1, response: null } })
  t.is(receivedBy(webhook).length, 1)
  t.deepEqual(await counters(), untouched)
  t.deepEqual(await wrongWaitingCounts(scene.db), [])
})

test.serial('a ping whose gateway died is not sent late', async (t) => {
  t.timeout(60_000)
  const { scene, listd, receiver, webhook, calls } = await oneWebhook(t, { LISTD_WEBHOOKS_TIMEOUT_MS: '2000' })
  await scene.db.run("update webhook_heads set lease_owner = 'x', lease_until = ?, due_at = ?", [
    ...[Date.now() + 60_000, Date.now() + 60_000],
  ])
  const asked = calls.ping().catch(() => null)
  await until(async () => (await scene.db.all('select id from deliveries')).length === 1, {
    what: 'the row of the ping',
  })
  const gateway = listd.pidOf('gateway')
  listd.signal('gateway', 'SIGKILL')
  await asked
  await listd.replaced('gateway', gateway)
  await scene.db.run('update deliveries set expires_at = ?', [Date.now()])
  await scene.db.run('update webhook_heads set due_at = 0')
  await until(async () => (await scene.db.all('select id from deliveries')).length === 0, { what: 'its end' })
  t.is(receivedBy(webhook).length, 0)
  t.deepEqual(await wrongWaitingCounts(scene.db), [])
  t.like(await calls.ping(), { status: 200, json: { status: 'succeeded' } })
  t.is(receiver.requests.length, 1)
})
