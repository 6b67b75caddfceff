import test, { type ExecutionContext } from 'ava'
import type { Database, Row } from '#shared/data/database.ts'
import { findDelivery, findDeliveryContents } from '#shared/data/deliveries/deliveries.ts'
import { deleteSettledDeliveries } from '#shared/data/deliveries/retention.ts'
import { type Claim, firstDue, releaseLeasesOf } from '#shared/data/dispatch/claims.ts'
import { clampRetries } from '#shared/data/dispatch/clamp-retries.ts'
import type { Settlement } from '#shared/data/dispatch/settlements.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { deactivateWebhook } from '#shared/data/webhooks/webhook-activity.ts'
import { beginListenerEpoch, findWebhook, removeWebhook, writeWebhook } from '#shared/data/webhooks/webhooks.ts'
import { DUE_NEVER } from '#shared/domain/limits.ts'
import type { AttemptOutcome } from '#shared/domain/webhook/deliveries/delivery.ts'
import { atMost } from '../../../support/assertions/bounds.ts'
import { wrongEventCounts } from '../../../support/databases/contents/events.ts'
import {
  addDeliveries,
  itemChange,
  makeList,
  makeWebhook,
  testId,
  wrongWaitingCounts,
} from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { claimDue } from '../../../support/webhooks/claim-due.ts'
import { fanOut, settle } from '../../../support/webhooks/cycles.ts'
import { endedAttempts } from '../../../support/webhooks/ended-attempts.ts'

const me = { owner: 'me', leaseMs: 30_000 }
const ok: AttemptOutcome = { status: 204, body: '', durationMs: 3, error: null }
const broken: AttemptOutcome = { status: 500, body: 'no', durationMs: 3, error: null }

async function changed(t: ExecutionContext, changes = 1) {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const webhookId = await makeWebhook(db, at)
  await commit(db, at, changes)
  return { db, at, webhookId }
}

async function commit(db: Database, at: { accountId: string; listId: string }, changes: number): Promise<void> {
  const committer = createCommitter(db, { announce() {} })
  await Promise.all(Array.from({ length: changes }, () => committer.commit(itemChange(at))))
}

const claim = (db: Database, holder = me, limit = 10) =>
  db.transaction((tx) => claimDue(tx, { ...holder, lane: 'fast', limit }))

const byWebhook = (left: Row, right: Row) => (String(left.webhook_id) < String(right.webhook_id) ? -1 : 1)

const settling = (claimed: Claim, outcome: AttemptOutcome, shouldContinue = true): Settlement => ({
  claim: claimed,
  outcome,
  lane: 'fast',
  shouldContinue,
})

test('an event becomes one delivery per webhook, due at once, and its outbox row is deleted', async (t) => {
  const { db, webhookId } = await changed(t)
  await fanOut(db)
  t.deepEqual(await db.all('select * from outbox'), [])
  await fanOut(db)
  const [delivery, ...others] = await db.all('select webhook_id, event, status, attempts, request_id from deliveries')
  t.deepEqual(others, [])
  const expected = {
    webhook_id: webhookId,
    event: 'item.created',
    status: 'pending',
    attempts: 0,
    request_id: 'test-request',
  }
  t.deepEqual(delivery, expected)
  t.true((await firstDue(db)).fast <= Date.now())
})

test('a dispatcher that knows the webhooks of an account sees every change of them with the next event', async (t) => {
  const { db, at, webhookId } = await changed(t)
  const key = { accountId: at.accountId, webhookId }
  const next = async () => {
    await commit(db, at, 1)
    await fanOut(db)
    return db.all('select webhook_id, waiting, missed from webhook_queues order by waiting')
  }
  await fanOut(db)
  const webhook = await findWebhook(db, key)
  if (!webhook) return t.fail('there is no webhook')
  await db.transaction(async (tx) => {
    await beginListenerEpoch(tx, at.accountId)
    await writeWebhook(tx, { ...webhook, listIds: [testId()] })
  })
  t.deepEqual(await next(), [{ webhook_id: webhookId, waiting: 1, missed: 0 }])
  const other = await makeWebhook(db, at)
  const [first, second] = [
    { webhook_id: webhookId, waiting: 1, missed: 0 },
    { webhook_id: other, waiting: 1, missed: 0 },
  ]
  t.deepEqual((await next()).sort(byWebhook), [first, second].sort(byWebhook))
  await db.transaction((tx) => deactivateWebhook(tx, { ...key, webhookId: other, reason: 'deactivated', now: 1 }))
  t.deepEqual((await next()).sort(byWebhook), [first, second].sort(byWebhook))
  await db.transaction((tx) => removeWebhook(tx, { ...key, webhookId: other }))
  t.deepEqual(await next(), [first])
  t.deepEqual(await db.all('select * from outbox'), [])
})

test('a claim begins exactly one attempt, and leaves nothing for other dispatchers', async (t) => {
  const { db } = await changed(t, 3)
  await fanOut(db)
  const [first, ...rest] = await claim(db)
  t.is(rest.length, 0)
  t.like(first, { number: 1, seriesAttempts: 1, fence: 1 })
  t.deepEqual(await claim(db, { owner: 'other', leaseMs: 30_000 }), [])
  t.like(await db.get('select * from webhook_queues'), { attempt_delivery_id: first?.deliveryId })
})

test('settling a delivery begins the next of the same webhook in the same transaction, until none is left', async (t) => {
  const { db } = await changed(t, 3)
  await fanOut(db)
  let claims = await claim(db)
  const seen: string[] = []
  for (let held = claims[0]; held; held = claims[0]) {
    const current = held
    seen.push(current.eventId)
    claims = await settle(db, [settling(current, ok)], me)
  }
  t.is(new Set(seen).size, 3)
  t.deepEqual(seen, seen.toSorted())
  const [queue] = await db.all('select waiting, succeeded, failed, due_at, lease_owner, fence from webhook_queues')
  t.deepEqual(queue, { waiting: 0, succeeded: 3, failed: 0, due_at: DUE_NEVER, lease_owner: null, fence: 1 })
})

test('a failed attempt is retried by the schedule, and delays no other delivery', async (t) => {
  const { db } = await changed(t, 2)
  await fanOut(db)
  const [first] = await claim(db)
  if (!first) return t.fail('nothing was claimed')
  const before = await db.now()
  const [second] = await settle(db, [settling(first, broken)], me)
  t.truthy(second)
  t.not(second?.deliveryId, first.deliveryId)
  const row = await db.get<{ next_attempt_at: number; status: string }>(
    'select next_attempt_at, status, response_status from deliveries where id = ?',
    [first.deliveryId],
  )
  t.like(row, { status: 'pending', response_status: 500 })
  const settledAt = (row?.next_attempt_at ?? 0) - 30_000
  t.true(before <= settledAt && settledAt <= (await db.now()))
})

test('the eighth failed attempt fails the delivery permanently', async (t) => {
  const { db } = await changed(t)
  await fanOut(db)
  for (let number = 1; number <= 8; number++) {
    const [held] = await claim(db)
    if (!held) return t.fail(`attempt ${number} was not due`)
    t.is(held.number, number)
    await settle(db, [settling(held, broken)], me)
    await db.run("update deliveries set next_attempt_at = 1 where status = 'pending'")
    await db.run('update webhook_queues set due_at = 1')
  }
  const failed = { status: 'failed', attempts: 8, next_attempt_at: null }
  t.like(await db.get('select status, attempts, next_attempt_at from deliveries'), failed)
  t.is((await db.all(`select distinct number from ${endedAttempts} a`)).length, 8)
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('20 permanently failed deliveries in a row disable the webhook; waiting ones are kept', async (t) => {
  const { db, webhookId } = await changed(t, 22)
  await fanOut(db)
  const oneAttempt = { retrySeconds: [] }
  let [held] = await claim(db)
  let settled = 0
  while (held) {
    const current: Claim = held
    ;[held] = await settle(db, [settling(current, broken)], me, oneAttempt)
    settled++
  }
  t.is(settled, 20)
  const disabled = { activated: 0, disabled_reason: '20 deliveries in a row failed for good' }
  t.like(await db.get('select activated, disabled_reason from webhooks'), disabled)
  const queue = { waiting: 2, failed: 20, consecutive_failures: 20, due_at: DUE_NEVER, lease_owner: null }
  t.like(await db.get('select waiting, failed, consecutive_failures, due_at, lease_owner from webhook_queues'), queue)
  const events = await db.all("select model_id, type, actor, attachments from events where stream = 'webhook'")
  const attachments = '{"reason":"20 deliveries in a row failed for good"}'
  t.deepEqual(events, [{ model_id: webhookId, type: 'webhook-disabled', actor: 'null', attachments }])
  t.deepEqual(await wrongEventCounts(db), [])
  t.deepEqual(await claim(db), [])
})

test('the slot of a sent delivery is free for an event of the same cycle', async (t) => {
  const { db, at } = await changed(t, 2)
  await fanOut(db)
  const [held] = await claim(db)
  if (!held) return t.fail('nothing was claimed')
  await commit(db, at, 1)
  await settle(db, [settling(held, ok)], me, { outbox: { waitedMs: 0 }, maxWaiting: 2 })
  t.deepEqual(await db.get('select waiting, missed from webhook_queues'), { waiting: 2, missed: 0 })
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('a success ends the series of failures', async (t) => {
  const { db } = await changed(t, 2)
  await fanOut(db)
  const oneAttempt = { retrySeconds: [] }
  const [first] = await claim(db)
  if (!first) return t.fail()
  const [second] = await settle(db, [settling(first, broken)], me, oneAttempt)
  if (!second) return t.fail()
  t.is((await db.get<{ n: number }>('select consecutive_failures as n from webhook_queues'))?.n, 1)
  await settle(db, [settling(second, ok)], me, oneAttempt)
  t.is((await db.get<{ n: number }>('select consecutive_failures as n from webhook_queues'))?.n, 0)
})

test('an expired lease is taken over, its open attempt is logged as interrupted, and the old holder writes nothing', async (t) => {
  const { db } = await changed(t)
  await fanOut(db)
  const [dead] = await claim(db, { owner: 'dead', leaseMs: -1 })
  const [taken] = await claim(db)
  if (!dead || !taken) return t.fail('not claimed')
  t.like(taken, { deliveryId: dead.deliveryId, eventId: dead.eventId, number: 2, fence: 2 })
  const late = await settle(db, [settling(dead, ok)], { owner: 'dead', leaseMs: 1 })
  t.deepEqual(late, [])
  t.is((await db.get<{ status: string }>('select status from deliveries'))?.status, 'pending')
  await settle(db, [settling(taken, ok)], me)
  t.deepEqual(await db.all(`select number, status, error from ${endedAttempts} a order by number`), [
    { number: 1, status: null, error: 'interrupted' },
    { number: 2, status: 204, error: null },
  ])
})

test('a dispatcher that replaces another one releases its leases at once', async (t) => {
  const { db } = await changed(t)
  await fanOut(db)
  await claim(db, { owner: 'old', leaseMs: 30_000 })
  t.is(await releaseLeasesOf(db, 'old'), 1)
  t.is((await claim(db))[0]?.number, 2)
})

test('the holder of a webhook starts an event that arrives before it releases the lease', async (t) => {
  const { db, at } = await changed(t)
  await fanOut(db)
  const [held] = await claim(db)
  if (!held) return t.fail()
  await commit(db, at, 1)
  await fanOut(db)
  t.deepEqual(await claim(db, { owner: 'other', leaseMs: 1 }), [])
  const [next] = await settle(db, [settling(held, ok)], me)
  t.is(next?.webhookId, held.webhookId)
})

test('a holder that does not continue leaves the webhook due for others', async (t) => {
  const { db } = await changed(t, 2)
  await fanOut(db)
  const [held] = await claim(db)
  if (!held) return t.fail()
  t.deepEqual(await settle(db, [settling(held, ok, false)], me), [])
  t.is((await claim(db, { owner: 'other', leaseMs: 1 })).length, 1)
})

test('settled deliveries are deleted after their time with attempts, payload and counters; pending ones never', async (t) => {
  const { db } = await changed(t, 2)
  await fanOut(db)
  const [held] = await claim(db)
  if (!held) return t.fail()
  await db.run('insert into delivery_attempts (delivery_id, number, started_at) values (?, 0, 1)', [held.deliveryId])
  await settle(db, [settling(held, ok, false)], me)
  t.like(await deleteSettledDeliveries(db, { from: 0, until: Date.now() + 1, rows: 500 }), { rows: 1, more: false })
  t.is((await db.all('select * from deliveries')).length, 1)
  t.is((await db.all('select * from event_payloads')).length, 1)
  t.deepEqual(await db.all('select * from delivery_attempts'), [])
  t.like(await db.get('select waiting, succeeded from webhook_queues'), { waiting: 1, succeeded: 0 })
})

test('a retry that a fast clock has scheduled too far in the future is due now, others stay', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId } = await makeList(db)
  const hour = 3_600_000
  const far = Date.now() + 48 * hour
  const times = [far, Date.now() + 12 * hour, DUE_NEVER]
  const webhookIds: string[] = []
  for (const at of times) {
    const webhookId = await makeWebhook(db, { accountId })
    webhookIds.push(webhookId)
    if (at !== DUE_NEVER) await addDeliveries(db, { accountId, webhookId }, [{ status: 'pending' }])
    await db.run('update deliveries set next_attempt_at = ? where webhook_id = ?', [at, webhookId])
    await db.run('update webhook_queues set due_at = ? where webhook_id = ?', [at, webhookId])
  }
  const leased = await makeWebhook(db, { accountId })
  const lease = "lease_owner = 'dead', lease_until = ?, due_at = ?"
  await db.run(`update webhook_queues set ${lease} where webhook_id = ?`, [far, far, leased])
  const options = { longestGapMs: 12 * hour, leaseMs: 30_000 }
  t.is(await clampRetries(db, options), 2)
  t.is(await clampRetries(db, options), 0)
  const dueOf = async (id = '') =>
    Number((await db.get<{ due_at: number }>('select due_at from webhook_queues where webhook_id = ?', [id]))?.due_at)
  const now = await db.now()
  atMost(t, await dueOf(webhookIds[0]), now, 'due_at')
  t.deepEqual([await dueOf(webhookIds[1]), await dueOf(webhookIds[2])], times.slice(1))
  atMost(t, await dueOf(leased), now + 30_000, 'due_at of a lease')
  const claims = await claim(db, { owner: 'me', leaseMs: 30_000 })
  t.deepEqual(claims.map(({ webhookId }) => webhookId), [webhookIds[0]]) // biome-ignore format: one line
})

const detailsOf = (server: string) => ({
  phases: { dnsMs: 1, connectMs: 2, tlsMs: null, waitMs: 4 },
  headers: { server },
})

test('details of an attempt are in the log from its end on, and stay there when others follow', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId } = await makeList(db)
  const webhookId = await makeWebhook(db, { accountId })
  const [deliveryId = ''] = await addDeliveries(db, { accountId, webhookId }, [{ status: 'pending' }])
  const outcomes: AttemptOutcome[] = [
    { status: 502, body: '', durationMs: 7, error: null, details: detailsOf('first') },
    { status: null, body: '', durationMs: 0, error: 'secret' },
    { status: null, body: '', durationMs: 10_000, error: 'timeout', details: { ...detailsOf(''), headers: null } },
    { status: 200, body: '', durationMs: 1_500, error: null, details: detailsOf('slow') },
  ]
  for (const [n, outcome] of outcomes.entries()) {
    await db.run("update deliveries set next_attempt_at = 1 where status = 'pending'")
    await db.run('update webhook_queues set due_at = 1')
    const [claimed] = await claim(db, me, 1)
    if (!claimed) return t.fail(`no claim ${n}`)
    await settle(db, [settling(claimed, outcome, false)], me)
    const delivery = await findDelivery(db, { accountId, webhookId, deliveryId })
    const contents = delivery && (await findDeliveryContents(db, delivery))
    t.deepEqual(
      contents?.log.map(({ number, durationMs, status, error, details }) => ({
        number,
        outcome: { status, durationMs, error, details },
      })),
      outcomes.slice(0, n + 1).map(({ status, durationMs, error, details = null }, position) => ({
        number: position + 1,
        outcome: { status, durationMs, error, details },
      })),
    )
  }
  t.like(await findDelivery(db, { accountId, webhookId, deliveryId }), { status: 'succeeded', attempts: 4 })
  t.deepEqual(await wrongWaitingCounts(db), [])
})

const other = { owner: 'other', leaseMs: 30_000 }

test('a bound on requests applies to every claimer of the webhook: it is due when the bound allows the next attempt', async (t) => {
  const { db, at, webhookId } = await changed(t, 3)
  const webhook = await findWebhook(db, { accountId: at.accountId, webhookId })
  if (!webhook) throw new Error('the webhook is gone')
  await db.transaction((tx) => writeWebhook(tx, { ...webhook, maxRequestsPerSecond: 1 }))
  await fanOut(db)
  const [first, ...others] = await claim(db)
  if (!first) throw new Error('nothing was due')
  t.deepEqual([others, first.startsInMs], [[], 0])

  // As if the attempt began in an hour, so that the bound applies however slow the machine is.
  await db.run('update webhook_queues set last_delivery_at = last_delivery_at + 3600000')
  const settled = () => settle(db, [settling(first, ok)], me)
  t.deepEqual(await isDueBetween(db, settled), [])

  // The deliveries become due at once, and another dispatcher claims before the bound allows an attempt.
  await db.run('update webhook_queues set due_at = 0, last_delivery_at = last_delivery_at + 3600000')
  t.deepEqual(await isDueBetween(db, () => claim(db, other)), [])

  await db.run('update webhook_queues set due_at = 0, last_delivery_at = ?', [(await db.now()) - 995])
  const [second] = await claim(db, other)
  const noted = await db.get('select last_delivery_at from webhook_queues')
  t.is(second?.startedAt, Number(noted?.last_delivery_at))

  async function isDueBetween<T>(on: Database, act: () => Promise<T>): Promise<T> {
    const [before, done, after] = [await on.now(), await act(), await on.now()]
    const { fast } = await firstDue(on)
    t.true(fast >= before + 1_000 && fast <= after + 1_000, `${fast - before}`)
    return done
  }
})
