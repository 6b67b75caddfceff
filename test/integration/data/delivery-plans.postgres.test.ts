import test from 'ava'
import type { Queries, Query } from '#shared/data/database.ts'
import { postgresDialect } from '#shared/data/engine/postgres-dialect.ts'
import { renderQuery } from '#shared/data/engine/render.ts'
import { type DeliverySet, readDeliveryIds } from '#shared/data/webhooks/delivery-ranges.ts'
import { deliveryStatuses } from '#shared/domain/webhook/delivery.ts'
import { testDatabase } from '../../support/database.ts'
import { addDeliveries, makeList, makeWebhook, testId } from '../../support/rows.ts'

const itemId = testId()
const events = ['item.created', 'item.deleted']
const sets: Omit<DeliverySet, 'webhookId'>[] = [
  ...[{}, { events }, { itemId }, { itemId, events, status: 'failed' as const }],
  ...deliveryStatuses.flatMap((status) => [{ status }, { status, events }, { status, itemId }]),
]

test('every listing reads only what its page shows, also where few wait among many that are settled', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId } = await makeList(db)
  const webhookId = await makeWebhook(db, { accountId })
  const rows = Array.from({ length: 10_000 }, (_, n) => ({ status: ['succeeded', 'failed'][n % 2] ?? '' }))
  await addDeliveries(db, { accountId, webhookId }, [...rows, { status: 'pending' }, { itemId }])
  await db.run('analyze deliveries')
  for (const set of sets) {
    for (const direction of ['asc', 'desc'] as const) {
      const plan = await planOf(db, (watched) =>
        readDeliveryIds(watched, { webhookId, ...set }, { direction, behind: null, limit: 20, offset: 0 }),
      )
      t.true(rowsRead(plan) <= 30, `${JSON.stringify(set)} ${direction}\n${plan.join('\n')}`)
    }
  }
})

/** The plan of the one statement that is run, with what it really read. */
async function planOf(db: Queries, run: (db: Queries) => Promise<unknown>): Promise<string[]> {
  const plan: string[] = []
  const all = async <R>(query: Query): Promise<R[]> => {
    const { text, bindings } = renderQuery(postgresDialect, query)
    const lines = await db.all(`explain (analyze, timing off, costs off) ${text}`, bindings)
    plan.push(...lines.map((line) => String(line['QUERY PLAN'])))
    return []
  }
  await run({ ...db, all })
  return plan
}

/** The most rows that one scan of the table or its indexes gave or threw away. */
function rowsRead(plan: readonly string[]): number {
  const given = plan.map((line) => Number(/Scan.* on deliveries.*rows=(\d+)/.exec(line)?.[1] ?? 0))
  const removed = plan.map((line) => Number(/Rows Removed by Filter: (\d+)/.exec(line)?.[1] ?? 0))
  return Math.max(...given, ...removed)
}
