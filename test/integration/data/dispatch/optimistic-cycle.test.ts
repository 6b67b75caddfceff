import test, { type ExecutionContext } from 'ava'
import type { AtomicBatch, Database } from '#shared/data/database.ts'
import type { Claim } from '#shared/data/dispatch/claims.ts'
import { runCycle } from '#shared/data/dispatch/cycle.ts'
import type { CycleWork } from '#shared/data/dispatch/cycle-plan.ts'
import { createListeners } from '#shared/data/dispatch/outbox/listeners.ts'
import { insertPing } from '#shared/data/dispatch/pings.ts'
import { lockQueues } from '#shared/data/dispatch/queue-state.ts'
import { deactivateWebhook, removeDeliveries } from '#shared/data/webhooks/webhook-activity.ts'
import { DUE_NEVER } from '#shared/domain/limits.ts'
import { comparable } from '../../../support/databases/comparable.ts'
import { makeList, makeWebhook, testId, wrongWaitingCounts } from '../../../support/databases/contents/rows.ts'
import { anotherConnection, testBackend, testDatabase } from '../../../support/databases/database.ts'
import { openTransaction } from '../../../support/databases/transactions.ts'
import { claimDue } from '../../../support/webhooks/claim-due.ts'
import { commitEvents, succeeds } from '../../../support/webhooks/rivals.ts'

// A cycle that first reads and then writes everything in one statement, on databases that can do this (not MySQL).

const holder = { owner: 'me', leaseMs: 30_000 }
const nothing = { settlements: [], outbox: null, slots: { fast: 4, slow: 4 }, claimDue: false }

function cycling(db: Database, { maxWaiting = 1_000, maxHeld = 1_000 } = {}) {
  const listeners = createListeners()
  const rules = { retrySeconds: [30], disableAfter: 20, maxWaiting, maxHeld, newId: testId, listeners }
  return (work: Partial<CycleWork>) => runCycle(db, { ...nothing, ...work }, holder, rules)
}

const settling = (claims: readonly (Claim | undefined)[]) =>
  claims.flatMap((claim) => (claim ? [{ claim, outcome: succeeds, lane: 'fast', shouldContinue: true } as const] : []))

/** The same database without transactions, if cycles can do without them. */
function alone(db: Database): Database {
  return db.atomicBatch ? { ...db, transaction: () => Promise.reject(new Error('a transaction began')) } : db
}

/** The same database, on which `between` runs between the reads and the writes of a cycle. */
function interrupted(db: Database, between: () => Promise<unknown>): Database {
  const { atomicBatch } = db
  const first: AtomicBatch = async (writes) => {
    await between()
    return atomicBatch ? atomicBatch(writes) : 0
  }
  return { ...db, atomicBatch: atomicBatch && first }
}

async function rowsOf(db: Database) {
  return {
    queues: await db.all('select * from webhook_queues order by webhook_id'),
    deliveries: await db.all('select * from deliveries order by webhook_id, event_id'),
    attempts: await db.all(`select a.* from delivery_attempts a join deliveries d on d.id = a.delivery_id
      order by d.webhook_id, d.event_id, a.number`),
    outbox: await db.all('select * from outbox'),
    payloads: await db.all('select event_id from event_payloads order by event_id'),
  }
}

/** Runs every kind of cycle: events for free, served and continuing webhooks and for none, and outcomes that free a webhook or leave more. */
async function everyKind(db: Database, commits: Database) {
  const at = await makeList(commits)
  for (const webhook of [at, at, { ...at, listIds: [testId()] }]) await makeWebhook(commits, webhook)
  const cycle = cycling(db)
  const results: unknown[] = []
  const run = async (work: Partial<CycleWork>) => {
    const result = await cycle(work)
    results.push({ ...result, rows: await rowsOf(commits) })
    const claims = [...result.next, ...result.claimed]
    return claims.sort((one, other) => (one.webhookId < other.webhookId ? -1 : 1))
  }
  const events = async (count: number) => ({ outbox: { eventIds: await commitEvents(commits, at, count) } })
  const [one, two] = await run(await events(1))
  const [shouldContinue] = await run({ settlements: settling([one]), ...(await events(2)) })
  const [first] = await run({ settlements: settling([shouldContinue]) })
  const [second] = await run({ settlements: settling([two && { ...two, hasMore: true }]) })
  const [third] = await run({ settlements: settling([second && { ...second, hasMore: true }]) })
  await commits.run("update webhooks set events = '[]'")
  await commits.run('update accounts set listener_epoch = listener_epoch + 1')
  await run({ settlements: settling([first, third]), ...(await events(1)) })
  return { results, wrong: await wrongWaitingCounts(commits) }
}

test('a cycle without a transaction makes the same claims and leaves the same rows as one with it', async (t) => {
  const [{ db }, { db: other }] = [await testDatabase(t), await testDatabase(t)]
  const optimistic = await everyKind(alone(db), db)
  t.deepEqual(comparable(optimistic), comparable(await everyKind({ ...other, atomicBatch: null }, other)))
  t.deepEqual(optimistic.wrong, [])
  t.is((await db.all("select * from deliveries where status = 'succeeded'")).length, 6)
})

/** A webhook with one open attempt and one waiting delivery. */
async function served(t: ExecutionContext) {
  const { db, dataDir } = await testDatabase(t)
  const at = await makeList(db)
  const key = { accountId: at.accountId, webhookId: await makeWebhook(db, at) }
  const { claimed } = await cycling(db)({ outbox: { eventIds: await commitEvents(db, at, 2) } })
  return { db, dataDir, at, key, claimed }
}

const deactivate = (db: Database, key: { accountId: string; webhookId: string }) =>
  db.transaction(async (tx) => {
    await lockQueues(tx, [key.webhookId])
    await deactivateWebhook(tx, { ...key, reason: 'deactivated', now: 1 })
  })

test('a webhook that is deactivated while the writes of a cycle wait for its queue gets no attempt', async (t) => {
  const { db, dataDir, key, claimed } = await served(t)
  const another = await anotherConnection(t, dataDir)
  const reached = Promise.withResolvers<void>()
  const deactivation = await openTransaction(another, async (tx) => {
    await lockQueues(tx, [key.webhookId])
    await deactivateWebhook(tx, { ...key, reason: 'deactivated', now: 1 })
  })
  const written = interrupted(db, async () => reached.resolve())
  const cycle = cycling(written)({ settlements: settling(claimed) })
  if (testBackend !== 'mysql') await reached.promise
  for (let n = 0; n < 10; n++) await db.get('select 1 as one')
  await deactivation.end()
  t.deepEqual((await cycle).next, [])
  t.like(await db.get('select * from webhook_queues'), { lease_owner: null, waiting: 1, succeeded: 1 })
})

if (testBackend !== 'mysql') {
  test('a webhook that is deactivated between the reads and the writes of a cycle gets no attempt', async (t) => {
    const { db, at, key, claimed } = await served(t)
    const between = interrupted(db, () => deactivate(db, key))
    const continued = await cycling(between)({ settlements: settling(claimed) })
    t.deepEqual([...continued.next, ...continued.claimed], [])
    t.like(await db.get('select * from webhook_queues'), {
      lease_owner: null,
      waiting: 1,
      due_at: DUE_NEVER,
      succeeded: 1,
    })

    const freeId = await makeWebhook(db, at)
    const eventIds = await commitEvents(db, at, 1)
    const free = interrupted(db, () => deactivate(db, { ...key, webhookId: freeId }))
    t.deepEqual((await cycling(free)({ outbox: { eventIds } })).claimed, [])
    t.deepEqual(await db.all('select * from deliveries where webhook_id = ?', [freeId]), [])
    t.deepEqual(await db.all('select * from outbox'), [])
    t.deepEqual(await wrongWaitingCounts(db), [])
  })

  test('changes between the reads and the writes of a cycle are not lost: a ping is next, and removed deliveries stay removed', async (t) => {
    const pinged = await served(t)
    const ping = {
      ...pinged.key,
      deliveryId: testId(),
      eventId: testId(),
      requestId: 'r',
      body: '{}',
      timeoutMs: 60_000,
    }
    const pinging = interrupted(pinged.db, () => pinged.db.transaction((tx) => insertPing(tx, ping)))
    const { next } = await cycling(pinging)({ settlements: settling(pinged.claimed) })
    t.deepEqual(
      next.map(({ deliveryId }) => deliveryId),
      [ping.deliveryId],
    )

    const removed = await served(t)
    const removal = () => removed.db.transaction((tx) => removeDeliveries(tx, { ...removed.key, after: '', limit: 10 }))
    const settled = await cycling(interrupted(removed.db, removal))({ settlements: settling(removed.claimed) })
    t.deepEqual([...settled.next, ...settled.claimed], [])
    t.deepEqual(await removed.db.all('select * from delivery_attempts'), [])
  })

  test('if two cycles fan out the same event at once, one creates its deliveries and the other nothing', async (t) => {
    const { db, at } = await served(t)
    const eventIds = await commitEvents(db, at, 1)
    const between = interrupted(db, () => cycling(db)({ outbox: { eventIds } }))
    t.true((await cycling(between)({ outbox: { eventIds } })).contended)
    t.is((await db.all('select * from deliveries')).length, 3)
    t.deepEqual(await wrongWaitingCounts(db), [])
  })

  test('a cycle that expects others at the same queues locks them at once', async (t) => {
    const { db, at, claimed } = await served(t)
    const eventIds = await commitEvents(db, at, 1)
    const untried = interrupted(db, () => Promise.reject(new Error('it was tried without a transaction')))
    const work = { settlements: settling(claimed), outbox: { eventIds }, contended: true }
    const { next, contended } = await cycling(untried)(work)
    t.is(next.length, 1)
    t.false(contended)
  })

  test('a webhook that was deactivated during its attempt gets no other, although deliveries wait', async (t) => {
    const { db, key, claimed } = await served(t)
    await deactivate(db, key)
    const settlements = settling(claimed.map((claim) => ({ ...claim, hasMore: true })))
    t.deepEqual((await cycling(db)({ settlements })).next, [])
    t.like(await db.get('select * from webhook_queues'), { lease_owner: null, waiting: 1, due_at: DUE_NEVER })
  })

  test('a success of a holder that lost its lease is dropped, whatever waits after it', async (t) => {
    const { db, claimed } = await served(t)
    await db.run('update webhook_queues set due_at = 1')
    const other = { owner: 'other', leaseMs: 30_000, lane: 'fast', limit: 1 } as const
    const [taken] = await db.transaction((tx) => claimDue(tx, other))
    const stale = settling(claimed.map((claim) => ({ ...claim, hasMore: true })))
    t.deepEqual((await cycling(db)({ settlements: stale })).next, [])
    t.is((await db.all("select * from deliveries where status = 'pending'")).length, 2)
    t.like(await db.get('select * from webhook_queues'), { lease_owner: 'other', fence: taken?.fence })
    t.deepEqual(await wrongWaitingCounts(db), [])
  })

  test('an event that a full backlog misses is counted and logged', async (t) => {
    const { db, at } = await served(t)
    const eventIds = await commitEvents(db, at, 1)
    await cycling(db, { maxWaiting: 2, maxHeld: 0 })({ outbox: { eventIds } })
    t.like(await db.get('select * from webhook_queues'), { waiting: 2, missed: 1, backlog_full: 1 })
    t.is((await db.all("select * from events where type = 'webhook-backlog-full'")).length, 1)
    t.is((await db.all('select * from event_payloads')).length, 2)
  })

  test('events for more deliveries than one statement writes are all fanned out at once', async (t) => {
    const { db } = await testDatabase(t)
    const at = await makeList(db)
    for (let n = 0; n < 33; n++) await makeWebhook(db, at)
    const work = { outbox: { eventIds: await commitEvents(db, at, 2) }, slots: { fast: 33, slow: 0 } }
    const { claimed, moreInOutbox } = await cycling(db)(work)
    t.deepEqual([claimed.length, moreInOutbox], [33, false])
    t.is((await db.all('select * from deliveries')).length, 66)
    t.deepEqual(await db.all('select * from outbox'), [])
  })

  test('an event for more webhooks than one statement writes needs a transaction, without reading what is due for each', async (t) => {
    const { db } = await testDatabase(t)
    const at = await makeList(db)
    for (let n = 0; n < 65; n++) await makeWebhook(db, at)
    const untried = interrupted(db, () => Promise.reject(new Error('it was tried without a transaction')))
    await cycling(untried)({ outbox: { eventIds: await commitEvents(db, at, 1) }, slots: { fast: 65, slow: 0 } })
    t.is((await db.all('select * from webhook_queues where attempt_delivery_id is not null')).length, 65)
  })

  test('a ping that its client no longer waits for is removed, not sent', async (t) => {
    const { db, key, claimed } = await served(t)
    const ping = { ...key, deliveryId: testId(), eventId: testId(), requestId: 'r', body: '{}', timeoutMs: -1 }
    await db.transaction((tx) => insertPing(tx, ping))
    const { next } = await cycling(db)({ settlements: settling(claimed.map((claim) => ({ ...claim, hasMore: true }))) })
    t.false(next.some(({ deliveryId }) => deliveryId === ping.deliveryId))
    t.deepEqual(await db.all("select * from deliveries where event = 'ping'"), [])
    t.deepEqual(await wrongWaitingCounts(db), [])
  })
}
