import test, { type ExecutionContext } from 'ava'
import { findDelivery } from '#shared/data/deliveries/deliveries.ts'
import { firstDue, releaseLeasesOf } from '#shared/data/dispatch/claims.ts'
import { insertPing, withdrawPing } from '#shared/data/dispatch/pings.ts'
import type { Settlement } from '#shared/data/dispatch/settlements.ts'
import { activateWebhook, deactivateWebhook, removeDeliveries } from '#shared/data/webhooks/webhook-activity.ts'
import { beginListenerEpoch } from '#shared/data/webhooks/webhooks.ts'
import { DUE_FIRST, DUE_NEVER } from '#shared/domain/limits.ts'
import type { AttemptOutcome } from '#shared/domain/webhook/deliveries/delivery.ts'
import {
  addDeliveries,
  makeList,
  makeWebhook,
  testId,
  wrongWaitingCounts,
} from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { claimDue } from '../../../support/webhooks/claim-due.ts'
import { settle } from '../../../support/webhooks/cycles.ts'

const me = { owner: 'me', leaseMs: 30_000 }
const outcomes: Record<string, AttemptOutcome> = {
  succeeded: { status: 200, body: '', durationMs: 1, error: null },
  failed: { status: 500, body: '', durationMs: 1, error: null },
  interrupted: { status: null, body: '', durationMs: 1, error: 'interrupted' },
}

async function world(t: ExecutionContext, { waiting = 0 } = {}) {
  const { db } = await testDatabase(t)
  const { accountId } = await makeList(db)
  const key = { accountId, webhookId: await makeWebhook(db, { accountId }) }
  if (waiting > 0) await addDeliveries(db, key, Array(waiting).fill({ status: 'pending' }))
  await db.run('update webhook_queues set due_at = ?', [waiting > 0 ? 1 : DUE_NEVER])
  const ping = async (timeoutMs = 60_000) => {
    const deliveryId = testId()
    const row = { ...key, deliveryId, eventId: testId(), requestId: 'r', body: '{"type":"ping"}', timeoutMs }
    return { deliveryId, added: await db.transaction((tx) => insertPing(tx, row)) }
  }
  const claim = (holder = me) => db.transaction((tx) => claimDue(tx, { ...holder, lane: 'fast', limit: 10 }))
  const write = (settlement: Settlement) => settle(db, [settlement], me, { disableAfter: 1 })
  const queue = () =>
    db.get('select waiting, pinging, succeeded, failed, consecutive_failures, due_at from webhook_queues')
  return { db, key, ping, claim, write, queue }
}

const settling = (claim: Settlement['claim'], outcome: keyof typeof outcomes): Settlement => ({
  claim,
  outcome: outcomes[outcome] as AttemptOutcome,
  lane: 'fast',
  shouldContinue: true,
})

test('on a free queue, a ping is due before everything else', async (t) => {
  const { db, key, ping, claim, queue } = await world(t, { waiting: 3 })
  const { deliveryId, added } = await ping()
  t.true(added)
  t.like(await queue(), { waiting: 3, pinging: 1, due_at: DUE_FIRST })
  t.is((await firstDue(db)).fast, DUE_FIRST)
  const shown = await findDelivery(db, { ...key, deliveryId })
  t.like(shown, { event: 'ping', status: 'pending', itemId: null, nextAttemptAt: shown?.createdAt })
  t.like((await claim())[0], { deliveryId, event: 'ping', number: 1, body: '{"type":"ping"}' })
})

test('on a leased queue, its holder begins the ping next', async (t) => {
  const { ping, claim, write } = await world(t, { waiting: 3 })
  const [held] = await claim()
  if (!held) return t.fail()
  const { deliveryId } = await ping()
  t.deepEqual(await claim({ owner: 'other', leaseMs: 1 }), [])
  const [next] = await write(settling(held, 'succeeded'))
  t.is(next?.deliveryId, deliveryId)
})

for (const [outcome, status] of [
  ['succeeded', 'succeeded'],
  ['failed', 'failed'],
  ['interrupted', 'failed'],
] as const) {
  test(`a ping has one attempt; ${outcome}, it changes neither waiting nor the series of failures`, async (t) => {
    const { db, key, ping, claim, write, queue } = await world(t, { waiting: 2 })
    await db.run('update webhook_queues set consecutive_failures = 7')
    const { deliveryId } = await ping()
    const [held] = await claim()
    if (!held) return t.fail()
    const [next] = await write(settling(held, outcome))
    t.is(next?.event, 'item.created')
    t.like(await findDelivery(db, { ...key, deliveryId }), { status, attempts: 1, nextAttemptAt: null })
    t.like(await queue(), { waiting: 2, pinging: 0, consecutive_failures: 7 })
    t.like(await db.get('select activated from webhooks'), { activated: 1 })
    t.deepEqual(await wrongWaitingCounts(db), [])
  })
}

test('for a disabled webhook only pings are claimed, one after the other', async (t) => {
  const { db, key, ping, claim, write, queue } = await world(t, { waiting: 2 })
  await db.transaction((tx) => deactivateWebhook(tx, { ...key, reason: 'deactivated', now: 1 }))
  t.deepEqual(await claim(), [])
  const [first, second] = [await ping(), await ping()]
  for (const { deliveryId } of [first, second]) {
    const [held] = await claim()
    t.is(held?.deliveryId, deliveryId)
    if (held) t.deepEqual(await write(settling(held, 'succeeded')), [])
  }
  t.deepEqual(await claim(), [])
  t.like(await queue(), { waiting: 2, pinging: 0, due_at: DUE_NEVER })
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('neither deactivation nor activation changes the order of a ping', async (t) => {
  const { db, key, ping, claim, queue } = await world(t, { waiting: 2 })
  const { deliveryId } = await ping()
  await db.transaction((tx) => deactivateWebhook(tx, { ...key, reason: 'deactivated', now: 1 }))
  t.like(await queue(), { due_at: DUE_FIRST })
  await db.transaction(async (tx) =>
    activateWebhook(tx, { ...key, epoch: (await beginListenerEpoch(tx, key.accountId)).epoch }),
  )
  t.is((await claim())[0]?.deliveryId, deliveryId)
})

test('after the death of its holder a ping has failed: the next claim takes the following delivery', async (t) => {
  const { db, key, ping, claim } = await world(t, { waiting: 1 })
  const { deliveryId } = await ping()
  await claim({ owner: 'dead', leaseMs: 30_000 })
  await releaseLeasesOf(db, 'dead')
  t.is((await claim())[0]?.event, 'item.created')
  t.like(await findDelivery(db, { ...key, deliveryId }), { status: 'failed', error: 'interrupted', attempts: 1 })
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('an expired ping is removed instead of sent', async (t) => {
  const { db, ping, claim, queue } = await world(t, { waiting: 1 })
  await ping(-1)
  t.deepEqual(await claim(), [])
  t.like(await queue(), { pinging: 0, waiting: 1 })
  t.is((await claim())[0]?.event, 'item.created')
  t.deepEqual(await db.all("select id from deliveries where event = 'ping'"), [])
  t.is((await db.all('select event_id from event_payloads')).length, 1)
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('a ping can be withdrawn until its attempt begins', async (t) => {
  const { db, key, ping, claim } = await world(t)
  const [first, second] = [await ping(), await ping()]
  const [held] = await claim()
  t.is(held?.deliveryId, first.deliveryId)
  const withdraw = (deliveryId: string) => db.transaction((tx) => withdrawPing(tx, { ...key, deliveryId }))
  t.false(await withdraw(first.deliveryId))
  t.true(await withdraw(second.deliveryId))
  t.false(await withdraw(second.deliveryId))
  t.is((await db.all('select id from deliveries')).length, 1)
  t.is((await db.all('select event_id from event_payloads')).length, 1)
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('at most ten pings wait at once', async (t) => {
  const { db, ping } = await world(t)
  for (let n = 0; n < 10; n++) t.true((await ping()).added)
  t.false((await ping()).added)
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('removing the deliveries of a webhook keeps its counters correct, including pings', async (t) => {
  const { db, key, ping, claim, write } = await world(t, { waiting: 2 })
  await addDeliveries(db, key, [{ status: 'failed' }, { status: 'succeeded' }])
  await ping()
  const [held] = await claim()
  if (held) await write(settling(held, 'failed'))
  await ping()
  for (let after: string | null = ''; after !== null; ) {
    const from: string = after
    after = (await db.transaction((tx) => removeDeliveries(tx, { ...key, after: from, limit: 2 }))).next
    t.deepEqual(await wrongWaitingCounts(db), [])
  }
  t.deepEqual(await db.all('select * from event_payloads'), [])
})
