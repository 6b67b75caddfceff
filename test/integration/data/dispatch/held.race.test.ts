import test, { type ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import { removeHeldEvents } from '#shared/data/deliveries/held-retention.ts'
import { deleteSettledDeliveries } from '#shared/data/deliveries/retention.ts'
import { releaseLeasesOf } from '#shared/data/dispatch/claims.ts'
import { isWebhookServed, removeDeliveries } from '#shared/data/webhooks/webhook-activity.ts'
import { lockWebhook, removeWebhook, type WebhookKey } from '#shared/data/webhooks/webhooks.ts'
import { wrongEventCounts } from '../../../support/databases/contents/events.ts'
import { wrongHeld } from '../../../support/databases/contents/held.ts'
import { makeList, makeWebhook, testId, wrongWaitingCounts } from '../../../support/databases/contents/rows.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'
import { rounds } from '../../../support/load/soak.ts'
import { activate, count, deactivate } from '../../../support/webhooks/held-world.ts'
import { commitEvents, makeRival, type Rival, type RivalOptions } from '../../../support/webhooks/rivals.ts'

// Two dispatchers that share only the database, with a bound so low that nearly every event is beyond it.

const longRun = rounds({ once: 300_000, soak: 1_800_000 })

async function world(t: ExecutionContext, { webhooks = 1, ...options }: RivalOptions & { webhooks?: number } = {}) {
  const { db, dataDir } = await testDatabase(t)
  const at = await makeList(db)
  const webhookIds: string[] = []
  for (let n = 0; n < webhooks; n++) webhookIds.push(await makeWebhook(db, at))
  const dbs = [await anotherConnection(t, dataDir), await anotherConnection(t, dataDir)]
  const rivals = dbs.map((rival, n) => makeRival(rival, `rival-${n}`, { maxWaiting: 6, ...options }))
  return { db, at, webhookIds, rivals }
}

/** The events of a webhook in the order in which they were sent: by fence, which one dispatcher has, then in its own order. */
function sentTo(rivals: readonly Rival[], webhookId: string): string[] {
  const claims = rivals.flatMap(({ begun }) => begun).filter((claim) => claim.webhookId === webhookId)
  return claims.toSorted((one, other) => one.fence - other.fence).map(({ eventId }) => eventId)
}

async function leavesNothing(t: ExecutionContext, db: Database): Promise<void> {
  for (const table of ['held_events', 'held_payloads', 'held_backlogs', 'outbox'])
    t.is(await count(db, table), 0, table)
  t.deepEqual(await wrongHeld(db), [])
  t.deepEqual(await wrongWaitingCounts(db), [])
  t.deepEqual(await wrongEventCounts(db), [])
}

for (const shouldContinue of [true, false]) {
  const kept = shouldContinue ? 'keep' : 'give back'
  test(`two dispatchers that ${kept} leases hold and release events at once: each is sent once`, async (t) => {
    t.timeout(longRun)
    const groups = rounds({ once: 20, soak: 200 })
    const { db, at, webhookIds, rivals } = await world(t, { webhooks: 3, shouldContinue })
    const eventIds: string[] = []
    let committing = true
    const commits = async () => {
      for (let n = 0; n < groups; n++) eventIds.push(...(await commitEvents(db, at, 12)))
      committing = false
    }
    await Promise.all([commits(), ...rivals.map(({ work }) => work(() => committing))])
    await rivals[0]?.work(() => false)
    for (const webhookId of webhookIds) {
      const sent = sentTo(rivals, webhookId)
      t.deepEqual(sent.toSorted(), eventIds.toSorted())
    }
    t.is(await count(db, 'webhook_queues where missed > 0'), 0)
    t.true((await count(db, "events where type = 'webhook-behind'")) > 0)
    t.is(
      await count(db, "events where type = 'webhook-behind'"),
      await count(db, "events where type = 'webhook-caught-up'"),
    )
    await leavesNothing(t, db)
  })
}

test('held events are sent in the order of the log, whichever of two dispatchers holds and releases them', async (t) => {
  t.timeout(longRun)
  const { db, at, webhookIds, rivals } = await world(t, { webhooks: 2, shouldContinue: false })
  const eventIds: string[] = []
  for (let n = 0; n < rounds({ once: 8, soak: 80 }); n++) {
    eventIds.push(...(await commitEvents(db, at, 15)))
    // One dispatcher fans out all events before the next ones are committed; then both send.
    while ((await count(db, 'outbox')) > 0) await rivals[n % 2]?.cycle()
    await Promise.all(rivals.map(({ cycle }) => cycle()))
  }
  await Promise.all(rivals.map(({ work }) => work(() => false)))
  for (const webhookId of webhookIds) t.deepEqual(sentTo(rivals, webhookId), eventIds)
  await leavesNothing(t, db)
})

test('deactivations, deletions, retention and dead holders in between neither lose nor duplicate a held event', async (t) => {
  t.timeout(longRun)
  const times = rounds({ once: 12, soak: 120 })
  const { db, at, webhookIds, rivals } = await world(t, { webhooks: 4, shouldContinue: false })
  const [kept = '', switched = '', deleted = '', other = ''] = webhookIds
  const eventIds: string[] = []
  let busy = 3
  const done = () => void busy--
  const commits = async () => {
    for (let n = 0; n < times; n++) eventIds.push(...(await commitEvents(db, at, 10)))
  }
  const switching = async () => {
    for (let n = 0; n < times / 2; n++) await offAndOn(db, { accountId: at.accountId, webhookId: switched })
  }
  const jobs = async () => {
    while (busy > 0) {
      await releaseLeasesOf(db, 'rival-0')
      await removeHeldEvents(db, { until: 0, rows: 7, newId: testId })
      await deleteSettledDeliveries(db, { from: 0, until: Number.MAX_SAFE_INTEGER, rows: 5 })
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const deleting = () => removeAll(db, { accountId: at.accountId, webhookId: deleted })
  const working = rivals.map(({ work }) => work(() => busy > 0))
  await Promise.all([commits().then(done), switching().then(done), deleting().then(done), jobs(), ...working])
  await db.run('update webhook_queues set due_at = 0 where lease_owner is not null')
  await Promise.all(rivals.map(({ work }) => work(() => false)))
  while ((await removeHeldEvents(db, { until: 0, rows: 50, newId: testId })).more);
  // The attempts of a dead holder are repeated, so events are counted once.
  for (const webhookId of [kept, other]) {
    const sent = new Set(sentTo(rivals, webhookId))
    t.deepEqual([...sent].toSorted(), eventIds.toSorted())
  }
  t.is(await count(db, 'webhook_queues where missed > 0'), 0)
  t.is(await count(db, "deliveries where status = 'pending'"), 0)
  await leavesNothing(t, db)
})

async function offAndOn(db: Database, key: WebhookKey): Promise<void> {
  await deactivate(db, key)
  await activate(db, key)
}

async function removeAll(db: Database, key: WebhookKey): Promise<void> {
  await deactivate(db, key)
  for (let after: string | null = ''; after !== null; ) {
    const from: string = after
    after = await db.transaction(async (tx) => {
      await lockWebhook(tx, key)
      if (await isWebhookServed(tx, key)) return from
      const { next } = await removeDeliveries(tx, { ...key, after: from, limit: 10 })
      if (next === null) await removeWebhook(tx, key)
      return next
    })
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}
