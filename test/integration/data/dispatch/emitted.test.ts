import test from 'ava'
import type { Database } from '#shared/data/database.ts'
import { runCycle } from '#shared/data/dispatch/cycle.ts'
import type { NewOutboxEvent } from '#shared/data/dispatch/enqueue.ts'
import { createListeners } from '#shared/data/dispatch/listeners.ts'
import type { OutboxSelection } from '#shared/data/dispatch/outbox.ts'
import { enqueuedEvents } from '#shared/data/events/committed.ts'
import { createCommitter } from '#shared/data/items/commit.ts'
import { deactivateWebhook } from '#shared/data/webhooks/webhook-activity.ts'
import { outcomeOf } from '../../../support/databases/commits.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { itemChange, makeList, makeWebhook, testId } from '../../../support/databases/rows.ts'

function emittedTo(accountId: string, webhookIds: readonly string[]): NewOutboxEvent {
  const eventId = testId()
  return { eventId, accountId, requestId: 'test-request', payload: `{"emitted":"${eventId}"}`, webhookIds }
}

async function cycle(db: Database, outbox: OutboxSelection) {
  const work = { settlements: [], outbox, slots: { fast: 4, slow: 4 }, claimDue: false }
  const rules = { retrySeconds: [30], disableAfter: 20, maxWaiting: 1_000, newId: testId, listeners: createListeners() }
  return runCycle(db, work, { owner: 'me', leaseMs: 30_000 }, rules)
}

const rowsOf = async (db: Database, table: string) =>
  (await db.all(`select event_id from ${table} order by event_id`)).map(({ event_id }) => String(event_id))

for (const [way, selection] of [
  ['announced', (eventIds: string[]) => ({ eventIds })],
  ['swept', () => ({ waitedMs: 0 })],
] as const) {
  test(`what flows emit and is ${way} goes to the active webhooks that it names, whatever they listen to`, async (t) => {
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
    const besideChange = emittedTo(accountId, [named, both])
    const change = itemChange(at)
    await committer.commitAll([], { emitted: [alone] })
    await committer.commitAll([change], { emitted: [besideChange] })
    t.deepEqual(announced.toSorted(), [alone.eventId, besideChange.eventId, change.event.id].toSorted())
    await cycle(db, selection(announced))
    const deliveries = await db.all('select webhook_id, event_id, event, list_id, item_id from deliveries')
    const emitted = { event: 'flow.emit', list_id: null, item_id: null }
    t.deepEqual(
      deliveries.map((row) => JSON.stringify(row)).sort(),
      [
        { webhook_id: named, event_id: alone.eventId, ...emitted },
        { webhook_id: named, event_id: besideChange.eventId, ...emitted },
        { webhook_id: both, event_id: besideChange.eventId, ...emitted },
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

test('nothing is emitted when the unit is not committed or too large, or no webhook of the account is active', async (t) => {
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
