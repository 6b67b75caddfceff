import test, { type ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import { requeueDeliveries } from '#shared/data/deliveries/redeliveries.ts'
import { releaseLeasesOf } from '#shared/data/dispatch/claims.ts'
import { insertPing, withdrawPing } from '#shared/data/dispatch/pings.ts'
import {
  activateWebhook,
  deactivateWebhook,
  isWebhookServed,
  removeDeliveries,
} from '#shared/data/webhooks/webhook-activity.ts'
import { beginListenerEpoch, lockWebhook, removeWebhook, type WebhookKey } from '#shared/data/webhooks/webhooks.ts'
import { wrongEventCounts } from '../../../support/databases/contents/events.ts'
import { makeList, makeWebhook, testId, wrongWaitingCounts } from '../../../support/databases/contents/rows.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'
import { rounds } from '../../../support/load/soak.ts'
import { claimDue } from '../../../support/webhooks/claim-due.ts'
import { fanOut, settle } from '../../../support/webhooks/cycles.ts'
import { endedAttempts } from '../../../support/webhooks/ended-attempts.ts'
import {
  commitEvents,
  fails,
  makeRival,
  type Rival,
  type RivalOptions,
  succeeds,
} from '../../../support/webhooks/rivals.ts'

/** An account with webhooks, and two dispatchers that share only the database. */
async function world(t: ExecutionContext, { webhooks = 1, ...options }: RivalOptions & { webhooks?: number } = {}) {
  const { db, dataDir } = await testDatabase(t)
  const at = await makeList(db)
  const webhookIds: string[] = []
  for (let n = 0; n < webhooks; n++) webhookIds.push(await makeWebhook(db, at))
  const dbs = [await anotherConnection(t, dataDir), await anotherConnection(t, dataDir)]
  const rivals = dbs.map((rival, n) => makeRival(rival, `rival-${n}`, options))
  return { db, at, webhookIds, dbs, rivals }
}

const count = async (db: Database, what: string) =>
  (await db.get<{ n: number }>(`select count(*) as n from ${what}`))?.n

/** The fences that both dispatchers had; each fence of a webhook must belong to one dispatcher. */
function sharedFences(rivals: readonly Rival[]): string[] {
  const [ours = [], theirs = []] = rivals.map(({ begun }) =>
    begun.map(({ webhookId, fence }) => `${webhookId} ${fence}`),
  )
  return ours.filter((fence) => theirs.includes(fence))
}

const longRun = rounds({ once: 300_000, soak: 1_800_000 })

test('two dispatchers race for one webhook: each round has exactly one holder', async (t) => {
  t.timeout(longRun)
  const races = rounds({ once: 20, soak: 1_000 })
  const { db, at, dbs } = await world(t)
  await commitEvents(db, at, 1)
  await fanOut(db)
  for (let round = 0; round < races; round++) {
    const claims = await Promise.all(
      dbs.map((rival, n) =>
        rival.transaction((tx) => claimDue(tx, { owner: `rival-${n}`, leaseMs: 30_000, lane: 'fast', limit: 10 })),
      ),
    )
    const holders = claims.filter((held) => held.length === 1).length
    if (holders !== 1) return t.fail(`round ${round} had ${holders} holders`)
    await db.run('update webhook_queues set due_at = 0, lease_owner = null')
  }
  t.is((await db.get<{ fence: number }>('select fence from webhook_queues'))?.fence, races)
})

test('two dispatchers share a stream of events: each is sent to each webhook once, by one of them', async (t) => {
  t.timeout(longRun)
  const groups = rounds({ once: 20, soak: 200 })
  const { db, at, webhookIds, rivals } = await world(t, { webhooks: 8, shouldContinue: false })
  let committing = true
  const commits = async () => {
    for (let n = 0; n < groups; n++) await commitEvents(db, at, 5)
    committing = false
  }
  await Promise.all([commits(), ...rivals.map(({ work }) => work(() => committing))])
  const sent = rivals.flatMap(({ begun }) => begun).map(({ webhookId, eventId }) => `${webhookId} ${eventId}`)
  t.is(sent.length, groups * 5 * webhookIds.length)
  t.is(new Set(sent).size, sent.length)
  for (const { begun } of rivals) t.true(begun.length > 0)
  t.deepEqual(sharedFences(rivals), [])
  t.is(await count(db, "deliveries where status = 'succeeded' and attempts = 1"), sent.length)
  t.is(await count(db, 'deliveries where response_status = 204'), sent.length)
  t.is(await count(db, 'delivery_attempts'), 0)
  t.is(await count(db, 'outbox'), 0)
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('two dispatchers fan out the same events at once: each becomes one delivery per webhook', async (t) => {
  t.timeout(longRun)
  const { db, at, webhookIds, dbs } = await world(t, { webhooks: 3 })
  for (let round = 0; round < rounds({ once: 20, soak: 500 }); round++) {
    const eventIds = await commitEvents(db, at, 4)
    await Promise.all(dbs.map((rival) => fanOut(rival, { outbox: { eventIds }, maxWaiting: 10_000 })))
    const deliveries = await count(db, 'deliveries')
    if (deliveries !== (round + 1) * 4 * webhookIds.length)
      return t.fail(`${deliveries} deliveries after round ${round}`)
  }
  t.is(await count(db, 'outbox'), 0)
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('two dispatchers fan out different events at once: a webhook has exactly 1,000 waiting, and the rest is counted', async (t) => {
  const { db, at, dbs } = await world(t, { webhooks: 2 })
  const eventIds = await commitEvents(db, at, 1_100)
  const halves = [eventIds.filter((_, n) => n % 2 === 0), eventIds.filter((_, n) => n % 2 === 1)]
  const giveAll = async (rival: Database, ids: readonly string[]) => {
    for (let start = 0; start < ids.length; start += 25) {
      await fanOut(rival, { outbox: { eventIds: ids.slice(start, start + 25) }, maxHeld: 0 })
    }
  }
  await Promise.all(dbs.map((rival, n) => giveAll(rival, halves[n] ?? [])))
  const full = { waiting: 1_000, missed: 100, backlog_full: 1 }
  t.deepEqual(await db.all('select waiting, missed, backlog_full from webhook_queues'), [full, full])
  t.is(await count(db, "events where type = 'webhook-backlog-full'"), 2)
  t.is(await count(db, 'outbox'), 0)
  t.is(await count(db, 'event_payloads'), await count(db, '(select distinct event_id from deliveries) as events'))
  t.deepEqual(await wrongWaitingCounts(db), [])
  t.deepEqual(await wrongEventCounts(db), [])
})

test('20 failures in a row disable a webhook once, whichever of two dispatchers sent the attempts', async (t) => {
  const { db, at, rivals } = await world(t, { webhooks: 3, outcome: fails, retrySeconds: [], shouldContinue: false })
  await commitEvents(db, at, 30)
  await Promise.all(rivals.map(({ work }) => work(() => false)))
  const disabled = { waiting: 10, failed: 20, consecutive_failures: 20, lease_owner: null }
  const queues = await db.all('select waiting, failed, consecutive_failures, lease_owner from webhook_queues')
  t.deepEqual(queues, [disabled, disabled, disabled])
  t.is(await count(db, 'webhooks where activated = 0'), 3)
  t.is(await count(db, "events where type = 'webhook-disabled'"), 3)
  t.deepEqual(await wrongWaitingCounts(db), [])
  t.deepEqual(await wrongEventCounts(db), [])
})

test('a cycle drops only the outcomes for webhooks that another dispatcher has taken over', async (t) => {
  const { db, at, webhookIds, dbs } = await world(t, { webhooks: 3 })
  await commitEvents(db, at, 1)
  await fanOut(db)
  const claim = (rival: Database | undefined, owner: string) =>
    rival?.transaction((tx) => claimDue(tx, { owner, leaseMs: 30_000, lane: 'fast', limit: 10 })) ?? []
  const frozen = await claim(dbs[0], 'frozen')
  t.is(frozen.length, 3)
  await db.run('update webhook_queues set due_at = 1 where webhook_id = ?', [webhookIds[1]])
  t.is((await claim(dbs[1], 'other')).length, 1)
  const outcomes = frozen.map((held) => ({
    claim: held,
    outcome: succeeds,
    lane: 'fast' as const,
    shouldContinue: true,
  }))
  await settle(db, outcomes, { owner: 'frozen', leaseMs: 30_000 })
  const settled = await db.all<{ webhook_id: string }>("select webhook_id from deliveries where status = 'succeeded'")
  t.deepEqual(settled.map(({ webhook_id }) => webhook_id).sort(), [webhookIds[0], webhookIds[2]])
  t.like(await db.get("select attempts, error from deliveries where status = 'pending'"), {
    attempts: 1,
    error: 'interrupted',
  })
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('an outcome that is written twice, because the answer to a COMMIT was lost, stops no cycle', async (t) => {
  const { db, at } = await world(t)
  await commitEvents(db, at, 1)
  await fanOut(db)
  const holder = { owner: 'me', leaseMs: 30_000 }
  const [claim] = await db.transaction((tx) => claimDue(tx, { ...holder, lane: 'fast', limit: 1 }))
  if (!claim) return t.fail('nothing was claimed')
  const outcome = [{ claim, outcome: fails, lane: 'fast' as const, shouldContinue: true }]
  const atOnce = { retrySeconds: [0, 0, 0, 0, 0, 0, 0] }
  for (const _ of [1, 2]) t.is((await settle(db, outcome, holder, atOnce))[0]?.number, 2)
  t.deepEqual(await db.all(`select number, status from ${endedAttempts} a`), [{ number: 1, status: fails.status }])
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('pings, redeliveries, deactivations and dead holders in between leave correct counters and no stray rows', async (t) => {
  t.timeout(longRun)
  const times = rounds({ once: 10, soak: 100 })
  const { db, at, webhookIds, rivals } = await world(t, { webhooks: 3, shouldContinue: false })
  let busy = 3
  const commits = async () => {
    for (let n = 0; n < times; n++) await commitEvents(db, at, 4)
    busy--
  }
  const users = webhookIds.slice(1).map(async (webhookId) => {
    for (let n = 0; n < times; n++) await useWebhook(db, { accountId: at.accountId, webhookId }, n)
    busy--
  })
  const dying = async () => {
    while (busy > 0) {
      await releaseLeasesOf(db, 'rival-0')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  await Promise.all([commits(), dying(), ...users, ...rivals.map(({ work }) => work(() => busy > 0))])
  await db.run('update webhook_queues set due_at = 0 where lease_owner is not null')
  await Promise.all(rivals.map(({ work }) => work(() => false)))
  t.is(await count(db, "deliveries where status = 'pending'"), 0)
  t.is(await count(db, 'outbox'), 0)
  t.deepEqual(sharedFences(rivals), [])
  t.deepEqual(await wrongWaitingCounts(db), [])
  t.deepEqual(await wrongEventCounts(db), [])
  const once = `(select webhook_id, event_id from deliveries group by webhook_id, event_id having count(*) > 1) as twice`
  t.is(await count(db, once), 0)
})

/** Runs what a gateway does for a user's requests about a webhook, one by one. */
async function useWebhook(db: Database, key: WebhookKey, n: number): Promise<void> {
  const deliveryId = testId()
  const ping = { ...key, deliveryId, eventId: testId(), requestId: 'r', body: '{"type":"ping"}', timeoutMs: 60_000 }
  await db.transaction(async (tx) => {
    await lockWebhook(tx, key)
    await insertPing(tx, ping)
  })
  if (n % 3 === 0) await db.transaction((tx) => withdrawPing(tx, { ...key, deliveryId }))
  await db.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, key)
    const settled = await tx.all<{ id: string; status: 'succeeded' }>(
      "select id, status from deliveries where webhook_id = ? and status = 'succeeded' and event <> 'ping' limit 3",
      [key.webhookId],
    )
    if (webhook) await requeueDeliveries(tx, webhook, settled)
  })
  if (n % 5 === 0) await offAndOn(db, key)
}

async function offAndOn(db: Database, key: WebhookKey): Promise<void> {
  await db.transaction(async (tx) => {
    await lockWebhook(tx, key)
    await deactivateWebhook(tx, { ...key, reason: 'deactivated', now: 1 })
  })
  await db.transaction(async (tx) => {
    const { epoch } = await beginListenerEpoch(tx, key.accountId)
    await lockWebhook(tx, key)
    await activateWebhook(tx, { ...key, epoch })
  })
}

test('deleting a webhook under two dispatchers leaves nothing, and others lose nothing', async (t) => {
  const { db, at, webhookIds, rivals } = await world(t, { webhooks: 3, shouldContinue: false })
  let busy = 3
  const commits = async () => {
    for (let n = 0; n < 25; n++) await commitEvents(db, at, 4)
    busy--
  }
  const deletions = webhookIds.slice(1).map(async (webhookId) => {
    await removeAll(db, { accountId: at.accountId, webhookId })
    busy--
  })
  await Promise.all([commits(), ...deletions, ...rivals.map(({ work }) => work(() => busy > 0))])
  const [kept] = webhookIds
  t.is(await count(db, "deliveries where status = 'succeeded'"), 100)
  t.is(await count(db, 'deliveries'), 100)
  t.deepEqual(await db.all('select webhook_id from webhook_queues'), [{ webhook_id: kept }])
  t.is(await count(db, 'event_payloads'), 100)
  t.is(await count(db, `${endedAttempts} a`), 100)
  t.is(await count(db, 'outbox'), 0)
  t.deepEqual(await wrongWaitingCounts(db), [])
})

/** Deletes a webhook as a gateway does: it waits until no dispatcher serves it. */
async function removeAll(db: Database, key: WebhookKey): Promise<void> {
  await db.transaction(async (tx) => {
    await lockWebhook(tx, key)
    await deactivateWebhook(tx, { ...key, reason: 'deactivated', now: 1 })
  })
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
