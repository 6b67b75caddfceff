import test, { type ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import { until } from '../../support/assertions/until.ts'
import { wrongHeld } from '../../support/databases/contents/held.ts'
import { rounds, seededRandom, withSeed } from '../../support/load/soak.ts'
import { killAll, killNow } from '../../support/processes/listd.ts'
import { everythingIsDelivered, untilSent } from '../../support/webhooks/delivered.ts'
import { deliveriesOf } from '../../support/webhooks/deliveries.ts'
import { receivedBy, type Scene, type SceneWebhook, setScene } from '../../support/webhooks/scene.ts'
import { verifyServiceSignature } from '../../support/webhooks/verify-signature.ts'

const patience = { withinMs: 180_000 }
const batchSize = 1_000

/** A webhook whose receiver answers nothing until it is released. */
async function stopped(t: ExecutionContext, env: Record<string, string>) {
  const scene = await setScene(t, { webhooks: 1, env })
  const [webhook] = scene.webhooks as [SceneWebhook]
  const back = Promise.withResolvers<void>()
  scene.receiver.reply = () => back.promise.then(() => ({}))
  return { scene, webhook, calls: deliveriesOf(scene, webhook), comeBack: () => back.resolve() }
}

/** Changes items in batches, and waits until fan-out has seen every change. */
async function change({ listd, db }: Scene, count: number): Promise<string[]> {
  const itemIds: string[] = []
  for (let done = 0; done < count; done += batchSize) {
    const operations = Array.from({ length: batchSize }, (_, n) => {
      return { op: 'create', data: { title: `Söup 🍲 ${done + n}`, minutes: done + n } }
    })
    const { status, text, json } = await listd.api('POST', '/lists/recipes/items/batch', { body: { operations } })
    if (status !== 200) throw new Error(text)
    itemIds.push(...json.results.map((result: { item: { id: string } }) => result.item.id))
  }
  const isEmpty = async () => (await db.get('select 1 as found from outbox')) === undefined
  await until(isEmpty, { ...patience, what: 'fan-out of all changes' })
  return itemIds
}

/** The exact bodies of all events, from their stored payloads. */
async function bodiesOf(db: Database): Promise<Map<string, string>> {
  const rows = await db.all<{ event_id: string; body: string }>(
    'select event_id, body from event_payloads union select event_id, body from held_payloads',
  )
  return new Map(rows.map(({ event_id, body }) => [event_id, body]))
}

test.serial(
  '3,000 changes while a receiver is stopped reach it when it is back, each exactly as in the log, in order',
  async (t) => {
    t.timeout(300_000)
    const { scene, webhook, calls, comeBack } = await stopped(t, {
      LISTD_WEBHOOKS_TIMEOUT_MS: '100000',
      LISTD_DISPATCHER_LEASE_SECONDS: '120',
    })
    const { db } = scene
    await change(scene, 3_000)
    const behind = (await calls.webhook()).json
    t.like(behind, { waitingCount: 1_000, heldCount: 2_000, heldIsAtLeast: false, missedCount: 0 })
    t.true(Date.parse(behind.oldestHeldAt) > Date.parse(behind.createdAt))
    t.is((await calls.list('?status=pending')).json.total, 1_000)
    const bodies = await bodiesOf(db)
    comeBack()
    await until(async () => receivedBy(webhook).length >= 3_000, { ...patience, what: '3,000 requests' })
    await untilSent(t, { db, accountId: scene.listd.credentials.accountId })
    const log = await db.all<{ id: string }>(
      "select id from events where type = 'item-created' order by created_at, id",
    )
    const received = receivedBy(webhook)
    t.deepEqual(
      received.map(({ headers }) => headers['webhook-id']),
      log.map(({ id }) => id),
    )
    for (const request of received) {
      t.is(request.body.toString(), bodies.get(request.headers['webhook-id'] ?? '') ?? '')
      verifyServiceSignature(request, webhook.secret)
    }
    await until(async () => (await db.get('select 1 as found from held_backlogs')) === undefined, patience)
    const idle = { waitingCount: 0, heldCount: 0, oldestHeldAt: null, missedCount: 0, activated: true }
    t.like((await calls.webhook()).json, idle)
    const entries = await scene.listd.user('GET', `/events?stream=webhook&direction=asc`)
    t.deepEqual(
      entries.json.data.map(({ type }: { type: string }) => type),
      ['webhook-created', 'webhook-behind', 'webhook-caught-up'],
    )
    t.is((await calls.list('?status=succeeded')).json.total, 3_000)
    t.deepEqual(await wrongHeld(db), [])
  },
)

test.serial(
  withSeed(
    'if a dispatcher, or all of listd, is killed while held events are given to webhooks, none is lost and none is sent twice',
  ),
  async (t) => {
    t.timeout(rounds({ once: 300_000, soak: 3_600_000 }))
    const random = seededRandom()
    const { scene, webhook, calls, comeBack } = await stopped(t, {
      LISTD_WEBHOOKS_MAX_WAITING: '50',
      LISTD_WEBHOOKS_RETRY_SECONDS: Array(7).fill('0.1').join(),
    })
    const kill = () => {
      const pid = scene.listd.pidOf('webhook-dispatcher')
      if (pid !== 0) killNow(pid)
    }
    const creating = change(scene, 1_000)
    creating.catch(() => {})
    // Also while events are held.
    const isHolding = async () => (await scene.db.get('select 1 as found from held_events limit 1')) !== undefined
    await Promise.race([creating, until(isHolding, { ...patience, what: 'held events' })])
    kill()
    const acknowledged = await creating
    comeBack()
    for (let round = 0; round < rounds({ once: 2, soak: 40 }); round++) {
      const sent = receivedBy(webhook).length
      const more = 1 + Math.floor(random() * 200)
      const enough = () => receivedBy(webhook).length >= Math.min(1_000, sent + more)
      await until(async () => enough(), { ...patience, what: `${more} more requests` })
      const isAll = round % 2 === 1
      t.log(`${sent} received, killing ${isAll ? 'everything' : 'the dispatcher'}`)
      if (!isAll) {
        kill()
        continue
      }
      killAll(scene.listd.dataDir)
      await until(async () => scene.listd.hasEnded(), { ...patience, what: 'the end of the supervisor' })
      await scene.listd.restart()
    }
    await everythingIsDelivered(t, scene, { acknowledged })
    t.like((await calls.webhook()).json, { heldCount: 0, missedCount: 0 })
    const deliveries = (await calls.list('?status=succeeded')).json.total
    t.is(deliveries, 1_000)
  },
)

test.serial(
  'beyond maxHeld events are missed and counted, with one entry, and all others are sent in order',
  async (t) => {
    t.timeout(300_000)
    const { scene, webhook, calls, comeBack } = await stopped(t, {
      LISTD_WEBHOOKS_MAX_WAITING: '50',
      LISTD_WEBHOOKS_MAX_HELD: '900',
      LISTD_WEBHOOKS_TIMEOUT_MS: '100000',
      LISTD_DISPATCHER_LEASE_SECONDS: '120',
    })
    await change(scene, 1_000)
    const behind = (await calls.webhook()).json
    t.is(behind.waitingCount + behind.heldCount + behind.missedCount, 1_000)
    t.like(behind, { waitingCount: 50, heldCount: 900, missedCount: 50 })
    comeBack()
    await untilSent(t, { db: scene.db, accountId: scene.listd.credentials.accountId })
    const log = await scene.db.all<{ id: string }>(
      "select id from events where type = 'item-created' order by created_at, id",
    )
    t.deepEqual(
      receivedBy(webhook).map(({ headers }) => headers['webhook-id']),
      log.slice(0, 950).map(({ id }) => id),
    )
    await until(async () => (await scene.db.get('select 1 as found from held_backlogs')) === undefined, patience)
    const entries = await scene.listd.user('GET', `/events?stream=webhook&direction=asc`)
    t.deepEqual(
      entries.json.data.map(({ type }: { type: string }) => type),
      ['webhook-created', 'webhook-behind', 'webhook-backlog-full', 'webhook-caught-up'],
    )
  },
)

test.serial('a webhook that is deleted while it holds events is sent nothing more, and leaves no rows', async (t) => {
  t.timeout(300_000)
  const { scene, webhook, comeBack } = await stopped(t, { LISTD_WEBHOOKS_MAX_WAITING: '50' })
  const { db, listd } = scene
  await change(scene, 1_000)
  t.is((await listd.user('DELETE', `/webhooks/${webhook.id}`)).status, 204)
  comeBack()
  const isEmpty = async () =>
    (await db.get(
      'select 1 as found from held_events union select 1 from held_payloads union select 1 from held_backlogs',
    )) === undefined
  await until(isEmpty, { ...patience, what: 'held rows to be removed' })
  t.true(receivedBy(webhook).length <= 50)
  t.deepEqual(await wrongHeld(db), [])
})
