import test, { type ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import type { DeliveryFilters } from '#shared/data/deliveries/delivery-ranges.ts'
import { readDeliveryIds } from '#shared/data/deliveries/delivery-reads.ts'
import { walkDeliveries } from '#shared/data/deliveries/delivery-walk.ts'
import type { Claim } from '#shared/data/dispatch/claims.ts'
import { DUE_NEVER } from '#shared/domain/limits.ts'
import { deliveryStatuses } from '#shared/domain/webhook/deliveries/delivery.ts'
import { addDeliveries, makeList, makeWebhook, testId } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { analyze, countRowsRead } from '../../../support/databases/questions/rows-read.ts'
import { claimDue } from '../../../support/webhooks/claim-due.ts'
import { fanOut, settle } from '../../../support/webhooks/cycles.ts'
import { commitEvents } from '../../../support/webhooks/rivals.ts'

const itemId = testId()
const events = ['item.created', 'item.deleted']
const sets: DeliveryFilters[] = [
  {},
  { events },
  { itemId },
  { itemId, events, statuses: ['failed'] },
  ...deliveryStatuses
    .map((status): DeliveryFilters => ({ statuses: [status] }))
    .flatMap((of) => [of, { ...of, events }, { ...of, itemId }]),
]

/** A webhook with these deliveries; the server has analyzed their table. */
async function world(t: ExecutionContext, deliveries: readonly { status?: string; itemId?: string }[]) {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const webhookId = await makeWebhook(db, at)
  await addDeliveries(db, { ...at, webhookId }, deliveries)
  await analyze(db, 'deliveries')
  return { db, at, webhookId }
}

test('every listing reads only what its page shows, even with few waiting deliveries among many settled ones', async (t) => {
  const rows = Array.from({ length: 10_000 }, (_, n) => ({ status: ['succeeded', 'failed'][n % 2] ?? '' }))
  const { db: real, webhookId } = await world(t, [...rows, { status: 'pending' }, { itemId }])
  for (const set of sets) {
    for (const direction of ['asc', 'desc'] as const) {
      const { db, rowsRead } = countRowsRead(real)
      await readDeliveryIds(
        db,
        { webhookIds: [webhookId], ...set },
        { direction, from: null, to: null, limit: 20, offset: 0 },
      )
      t.true(rowsRead() <= 200, `${rowsRead()}: ${JSON.stringify(set)} ${direction}`)
    }
  }
})

test('a filter that no index serves reads as many rows as a call may, from either end and from the middle', async (t) => {
  const rows = Array.from({ length: 10_000 }, (_, n) => ({ status: ['succeeded', 'failed'][n % 2] ?? '', itemId }))
  const { db: real, webhookId } = await world(t, rows)
  const ids = await real.all<{ id: string }>('select id from deliveries order by id')
  const filterSets: DeliveryFilters[] = [{ error: 'tls' }, { events: ['ping'] }, { itemId, error: 'tls' }]
  for (const filters of filterSets) {
    for (const direction of ['asc', 'desc'] as const) {
      for (const from of [null, { key: null, id: ids[5_000]?.id ?? '' }]) {
        const { db, rowsRead } = countRowsRead(real)
        const set = { webhookIds: [webhookId], ...filters }
        for await (const stretch of walkDeliveries(db, set, { direction, from, budget: { left: 1_000 } })) {
          await readDeliveryIds(db, set, { ...stretch, limit: 20, offset: 0 })
        }
        t.true(rowsRead() <= 5_000, `${rowsRead()}: ${JSON.stringify(filters)} ${direction}`)
      }
    }
  }
})

test('the cost of an attempt does not depend on the number of waiting deliveries of its webhook', async (t) => {
  const rows = Array.from({ length: 10_000 }, (_, n) => ({ status: n % 10 === 0 ? 'pending' : 'succeeded' }))
  const { db: real, webhookId } = await world(t, rows)
  await real.run('update webhook_queues set due_at = 0 where webhook_id = ?', [webhookId])
  const holder = { owner: 'me', leaseMs: 30_000 }
  let claims: Claim[] = []
  const begin = (db: Database) => db.transaction((tx) => claimDue(tx, { ...holder, lane: 'fast', limit: 1 }))
  const end = (status: number, shouldContinue: boolean) => (db: Database) => {
    const outcome = { status, body: '', durationMs: 3, error: null }
    return settle(
      db,
      claims.map((claim) => ({ claim, outcome, lane: 'fast', shouldContinue })),
      holder,
    )
  }
  const steps = [begin, end(204, true), end(500, true), end(500, false), begin, end(204, false)]
  const begun = [1, 1, 1, 0, 1, 0]
  for (const [n, step] of steps.entries()) {
    const { db, rowsRead } = countRowsRead(real)
    claims = await step(db)
    t.true(rowsRead() <= 60, `step ${n}: ${rowsRead()}`)
    t.is(claims.length, begun[n] ?? -1)
  }
})

test('the cost of an announced event does not depend on the number of deliveries of its webhook that wait for a retry', async (t) => {
  const {
    db: real,
    at,
    webhookId,
  } = await world(
    t,
    Array.from({ length: 2_000 }, () => ({ status: 'failed' })),
  )
  await real.run("update deliveries set status = 'pending', next_attempt_at = ?", [DUE_NEVER - 1])
  await real.run('update webhook_queues set waiting = failed, failed = 0 where webhook_id = ?', [webhookId])
  const eventIds = await commitEvents(real, at, 1)
  await analyze(real, 'deliveries')
  const { db, rowsRead } = countRowsRead(real)
  await fanOut(db, { outbox: { eventIds }, maxWaiting: 3_000 })
  t.true(rowsRead() <= 200, String(rowsRead()))
})
