import test, { type ExecutionContext } from 'ava'
import { until } from '../../support/assertions/until.ts'
import { wrongWaitingCounts } from '../../support/databases/contents/rows.ts'
import { served } from '../../support/http/api.ts'
import { shared } from '../../support/test-context/shared.ts'
import { deliveriesOf, quickRetries, untilDisabled } from '../../support/webhooks/deliveries.ts'
import { createItems, receivedBy, type SceneWebhook, setScene, setSceneOn } from '../../support/webhooks/scene.ts'
import { verifyServiceSignature, verifyStandardSignature } from '../../support/webhooks/verify-signature.ts'

const base = shared((t) => setScene(t, { webhooks: 0, env: { ...quickRetries, LISTD_WEBHOOKS_TIMEOUT_MS: '3000' } }))
const patience = { withinMs: 60_000 }

async function oneWebhook(t: ExecutionContext) {
  const scene = await setSceneOn(t, base())
  const { db, receiver } = scene
  const [webhook] = scene.webhooks as [SceneWebhook]
  const calls = deliveriesOf(scene, webhook)
  const counters = async () => {
    const { failureCount, waitingCount, missedCount, activated } = (await calls.webhook()).json
    return { failureCount, waitingCount, missedCount, activated }
  }
  return {
    listd: scene.listd,
    scene,
    db,
    receiver,
    webhook,
    calls,
    counters,
    ping: () => served(calls.ping),
    deliveries: (event: string) =>
      db.all('select id from deliveries where webhook_id = ? and event = ?', [webhook.id, event]),
    /** Leaves the webhook as a frozen dispatcher would, whose lease is still valid; another dispatcher answers that it is present. */
    async hold() {
      const inAnHour = Date.now() + 3_600_000
      const sql =
        "update webhook_queues set lease_owner = 'somebody else', lease_until = ?, due_at = ? where webhook_id = ?"
      await db.run(sql, [inAnHour, inAnHour, webhook.id])
    },
    async letGo() {
      await db.run('update webhook_queues set due_at = 0, lease_until = 0 where webhook_id = ?', [webhook.id])
    },
  }
}

const untouched = { failureCount: 0, waitingCount: 0, missedCount: 0, activated: true }

test.serial('a ping returns its delivery whatever the receiver responds, and changes no counter', async (t) => {
  const { db, receiver, webhook, calls, ping, counters } = await oneWebhook(t)
  await calls.put({ description: 'the kitchen' })
  const good = await ping()
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
  t.like((await ping()).json, { status: 'failed', attempts: 1, response: { status: 500, body: 'no' } })
  receiver.reply = { hang: 'before-head' }
  t.like((await ping()).json, { status: 'failed', attempts: 1, response: null, error: 'timeout' })
  t.is(receivedBy(webhook).length, 3)
  t.deepEqual(await counters(), untouched)
  t.is((await calls.list('?event=ping')).json.total, 3)
  t.is((await calls.redeliver(good.json.id)).status, 400)
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test.serial('a disabled webhook is sent pings, and nothing else', async (t) => {
  const { scene, db, receiver, webhook, calls, ping } = await oneWebhook(t)
  receiver.reply = { status: 500 }
  await createItems(scene, 25)
  await untilDisabled(calls, { waitingCount: 5 })
  const before = receivedBy(webhook).length
  t.like(await ping(), { status: 200, json: { status: 'failed' } })
  receiver.reply = {}
  t.like(await ping(), { status: 200, json: { status: 'succeeded' } })
  t.is(receivedBy(webhook).length, before + 2)
  t.like((await calls.webhook()).json, { activated: false, failureCount: 20, waitingCount: 5 })
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test.serial('a ping is next: it waits for the open request and for none after it', async (t) => {
  const { scene, receiver, webhook, ping, deliveries } = await oneWebhook(t)
  receiver.reply = ({ headers }) => (headers['x-service-event'] === 'ping' ? {} : { hang: 'before-head' })
  await createItems(scene, 10)
  await receiver.received(1)
  const asked = Promise.all([1, 2, 3].map(ping))
  await until(async () => (await deliveries('ping')).length === 3, { ...patience, what: 'three stored pings' })
  const before = receivedBy(webhook).length
  for (const { status, json } of await asked) t.like({ status, json }, { status: 200, json: { status: 'succeeded' } })
  const isPing = receivedBy(webhook).map(({ headers }) => headers['x-service-event'] === 'ping')
  const first = isPing.indexOf(true, before)
  // One request may have been in flight when all three pings were stored.
  t.true(first <= before + 1)
  t.false(isPing.slice(first, isPing.lastIndexOf(true)).includes(false))
})

test.serial('a ping that gets no turn is WEBHOOK_BUSY, and leaves nothing', async (t) => {
  const { db, webhook, ping, deliveries, hold, letGo } = await oneWebhook(t)
  await hold()
  t.like(await ping(), { status: 409, json: { name: 'WEBHOOK_BUSY', code: 24005 } })
  t.deepEqual(await deliveries('ping'), [])
  t.deepEqual(await db.all('select event_id from event_payloads where body like ?', [`%${webhook.id}%`]), [])
  t.deepEqual(await wrongWaitingCounts(db), [])
  await letGo()
  const isFree = 'select webhook_id from webhook_queues where lease_owner is null and webhook_id = ?'
  await until(async () => (await db.all(isFree, [webhook.id])).length === 1, {
    ...patience,
    what: 'the release of the lease',
  })
  t.is(receivedBy(webhook).length, 0)
})

test.serial('a dispatcher killed during a ping: the next one settles it, and nothing is sent twice', async (t) => {
  const { db, listd, receiver, webhook, ping, counters } = await oneWebhook(t)
  receiver.reply = () => {
    listd.signal('webhook-dispatcher', 'SIGKILL')
    return { hang: 'before-head' }
  }
  const answer = await ping()
  t.like(answer, { status: 200, json: { status: 'failed', error: 'interrupted', attempts: 1, response: null } })
  t.is(receivedBy(webhook).length, 1)
  t.deepEqual(await counters(), untouched)
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test.serial('a ping whose gateway died is not sent late', async (t) => {
  const { db, listd, webhook, calls, ping, deliveries, hold, letGo } = await oneWebhook(t)
  await hold()
  const asked = served(calls.ping).catch(() => null)
  await until(async () => (await deliveries('ping')).length === 1, { ...patience, what: 'the stored ping' })
  const gateway = listd.pidOf('gateway')
  listd.signal('gateway', 'SIGKILL')
  await asked
  await listd.replaced('gateway', gateway)
  await db.run('update deliveries set expires_at = ? where webhook_id = ?', [Date.now(), webhook.id])
  await letGo()
  await until(async () => (await deliveries('ping')).length === 0, { ...patience, what: 'the removal of the ping' })
  t.is(receivedBy(webhook).length, 0)
  t.deepEqual(await wrongWaitingCounts(db), [])
  t.like(await ping(), { status: 200, json: { status: 'succeeded' } })
  t.is(receivedBy(webhook).length, 1)
})
