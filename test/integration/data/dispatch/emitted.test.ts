import test from 'ava'
import type { Database } from '#shared/data/database.ts'
import { runCycle } from '#shared/data/dispatch/cycle.ts'
import type { NewOutboxEvent } from '#shared/data/dispatch/outbox/enqueue.ts'
import { createListeners } from '#shared/data/dispatch/outbox/listeners.ts'
import type { OutboxSelection } from '#shared/data/dispatch/outbox/outbox.ts'
import { enqueuedEvents } from '#shared/data/events/committed.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { deactivateWebhook } from '#shared/data/webhooks/webhook-activity.ts'
import { outcomeOf } from '../../../support/databases/commits.ts'
import {
  itemChange,
  makeList,
  makeWebhook,
  testId,
  wrongWaitingCounts,
} from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { claimDue } from '../../../support/webhooks/claim-due.ts'
import { fanOut, settle } from '../../../support/webhooks/cycles.ts'

function emittedTo(accountId: string, webhookIds: readonly string[]): NewOutboxEvent {
  const eventId = testId()
  return { eventId, accountId, requestId: 'test-request', payload: `{"emitted":"${eventId}"}`, webhookIds }
}

async function cycle(db: Database, outbox: OutboxSelection) {
  const work = { settlements: [], outbox, slots: { fast: 4, slow: 4 }, claimDue: false }
  const rules = {
    retrySeconds: [30],
    disableAfter: 20,
    maxWaiting: 1_000,
    maxHeld: 1_000,
    newId: testId,
    listeners: createListeners(),
  }
  return runCycle(db, work, { owner: 'me', leaseMs: 30_000 }, rules)
}

const rowsOf = async (db: Database, table: string) =>
  (await db.all(`select event_id from ${table} order by event_id`)).map(({ event_id }) => String(event_id))

for (const [way, selection] of [
  ['announced', (eventIds: string[]) => ({ eventIds })],
  ['swept', () => ({ waitedMs: 0 })],
] as const) {
  test(`events that flows emit and are ${way} go to the active webhooks that they name, whatever their event types`, async (t) => {
    const { db } = await testDatabase(t)
    const at = await makeList(db)
    const { accountId } = at
    const named = await makeWebhook(db, { accountId, events: [], listIds: [testId()] })
    const both = await makeWebhook(db, { accountId })
    const disabled = await makeWebhook(db, { accountId })
    await db.transaction((tx) => deactivateWebhook(tx, { accountId, webhookId: disabled, reason: 'test', now: 0 }))
    const elsewhere = await makeWebhook(db, await makeList(db))
    const announced: string[] = []
    const committer = createCommitter(db, { announce: (committed) => announced.push(...enqueuedEvents(committed)) })
    const alone = emittedTo(accountId, [named, disabled, elsewhere, 'gone'])
    const withChange = emittedTo(accountId, [named, both])
    const change = itemChange(at)
    await committer.commitAll([], { emitted: [alone] })
    await committer.commitAll([change], { emitted: [withChange] })
    t.deepEqual(announced.toSorted(), [alone.eventId, withChange.eventId, change.event.id].toSorted())
    await cycle(db, selection(announced))
    const deliveries = await db.all('select webhook_id, event_id, event, list_id, item_id from deliveries')
    const emitted = { event: 'flow.emit', list_id: null, item_id: null }
    t.deepEqual(
      deliveries.map((row) => JSON.stringify(row)).sort(),
      [
        { webhook_id: named, event_id: alone.eventId, ...emitted },
        { webhook_id: named, event_id: withChange.eventId, ...emitted },
        { webhook_id: both, event_id: withChange.eventId, ...emitted },
        {
          webhook_id: both,
          event_id: change.event.id,
          event: 'item.created',
          list_id: at.listId,
          item_id: change.itemId,
        },
      ]
        .map((row) => JSON.stringify(row))
        .sort(),
    )
    t.deepEqual(await rowsOf(db, 'outbox'), [])
    const bodies = await db.all<{ body: string }>('select body from event_payloads')
    t.true(bodies.some(({ body }) => body === alone.payload))
  })
}

const onlyEmitted = async (db: Database, events: number) => {
  const { accountId } = await makeList(db)
  const webhook = await makeWebhook(db, { accountId, events: [] })
  const committer = createCommitter(db, { announce() {} })
  const emit = (count: number) =>
    committer.commitAll([], { emitted: Array.from({ length: count }, () => emittedTo(accountId, [webhook])) })
  await emit(events)
  return emit
}

test('a webhook with the maximum of waiting emitted events misses the next ones', async (t) => {
  const { db } = await testDatabase(t)
  const emit = await onlyEmitted(db, 4)
  await fanOut(db, { maxWaiting: 3, maxHeld: 0 })
  const full = { waiting: 3, missed: 1 }
  t.deepEqual(await db.get('select waiting, missed from webhook_queues'), full)
  await emit(2)
  await fanOut(db, { maxWaiting: 3, maxHeld: 0 })
  t.deepEqual(await db.get('select waiting, missed from webhook_queues'), { ...full, missed: 3 })
  t.is((await rowsOf(db, 'deliveries')).length, 3)
  t.deepEqual(await rowsOf(db, 'outbox'), [])
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('emitted events that fail permanently in a row disable their webhook, and later ones go to no webhook', async (t) => {
  const { db } = await testDatabase(t)
  const emit = await onlyEmitted(db, 4)
  await fanOut(db)
  const outcome = { status: 500, body: 'no', durationMs: 3, error: null }
  const me = { owner: 'me', leaseMs: 30_000 }
  let claims = await db.transaction((tx) => claimDue(tx, { ...me, lane: 'fast', limit: 1 }))
  let settled = 0
  for (let claim = claims[0]; claim; claim = claims[0]) {
    const settlement = { claim, outcome, lane: 'fast', shouldContinue: true } as const
    claims = await settle(db, [settlement], me, { retrySeconds: [], disableAfter: 3 })
    settled++
  }
  t.is(settled, 3)
  t.like(await db.get('select activated, disabled_reason from webhooks'), {
    activated: 0,
    disabled_reason: '3 deliveries in a row failed for good',
  })
  await emit(1)
  await fanOut(db)
  t.like(await db.get('select waiting, failed, missed from webhook_queues'), { waiting: 1, failed: 3, missed: 0 })
  t.deepEqual(await rowsOf(db, 'outbox'), [])
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('nothing is emitted if the unit is not committed or too large, or no webhook of the account is active', async (t) => {
  const { db } = await testDatabase(t)
  const [at, silent] = [await makeList(db), await makeList(db)]
  const webhook = await makeWebhook(db, at)
  const committer = createCommitter(db, { announce() {} })
  const emitted = [emittedTo(at.accountId, [webhook])]
  const proofs = [{ listId: at.listId, itemId: testId(), revision: 1 }]
  t.is(await outcomeOf(committer.commitAll([itemChange(at)], { emitted, proofs })), 'conflict on item')
  await committer.commitAll([], { emitted: [emittedTo(silent.accountId, [webhook])] })
  const large = Array.from({ length: 33 }, () => ({
    ...emittedTo(at.accountId, [webhook]),
    payload: 'x'.repeat(2 ** 20),
  }))
  t.is(await outcomeOf(committer.commitAll([itemChange(at)], { emitted: large })), 'PAYLOAD_TOO_LARGE')
  t.deepEqual(await rowsOf(db, 'outbox'), [])
  t.deepEqual(await rowsOf(db, 'event_payloads'), [])
})
