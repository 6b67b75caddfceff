import type { Database, Queries, Transaction } from '../database.ts'
import { removeUnusedPayloads } from '../dispatch/payloads.ts'
import { lockQueues } from '../dispatch/queue-state.ts'
import { sql } from '../sql/sql.ts'
import { deleteInList, inList, updateFrom, valuesTable } from '../sql/statements.ts'

const batchRows = 500

/**
 * Deletes one batch of deliveries that settled before a time, with their attempts and the payloads that no delivery refers to
 * any more, and subtracts them from the queues' counters. A pending delivery is never deleted (contract 2.7).
 * @returns how many deliveries were deleted, and whether there may be more
 */
export async function deleteSettledDeliveries(
  db: Database,
  settledBefore: number,
): Promise<{ deleted: number; more: boolean }> {
  const oldest = await readOldest(db, settledBefore)
  if (oldest.length === 0) return { deleted: 0, more: false }
  const deleted = await db.transaction(async (tx) => {
    await lockQueues(
      tx,
      oldest.map(({ webhook_id }) => webhook_id),
    )
    const rows = await readSettled(tx, oldest, settledBefore)
    if (rows.length > 0) await remove(tx, rows)
    return rows.length
  })
  return { deleted, more: oldest.length === batchRows }
}

type SettledRow = { id: string; account_id: string; webhook_id: string; event_id: string; status: string }

function readOldest(db: Queries, settledBefore: number): Promise<{ id: string; webhook_id: string }[]> {
  return db.all(sql`select id, webhook_id from deliveries
    where completed_at <= ${settledBefore} order by completed_at limit ${batchRows}`)
}

/** Those that still exist and are settled: one may have been requeued, or deleted with its webhook. */
function readSettled(tx: Transaction, oldest: readonly { id: string }[], settledBefore: number): Promise<SettledRow[]> {
  const ids = oldest.map(({ id }) => id)
  return tx.all(
    sql`select id, account_id, webhook_id, event_id, status from deliveries
      where ${inList('id', ids)} and completed_at <= ${settledBefore}`,
  )
}

async function remove(tx: Transaction, rows: readonly SettledRow[]): Promise<void> {
  const ids = rows.map(({ id }) => id)
  await tx.run(deleteInList('delivery_attempts', 'delivery_id', ids))
  await tx.run(deleteInList('deliveries', 'id', ids))
  const counts = Map.groupBy(rows, ({ webhook_id }) => webhook_id)
  const byQueue = [...counts].map(([id, settled]) => {
    const succeeded = settled.filter(({ status }) => status === 'succeeded').length
    return [id, succeeded, settled.length - succeeded]
  })
  await tx.run(
    updateFrom({
      table: 'webhook_queues',
      set: {
        succeeded: sql`webhook_queues.succeeded - input.succeeded`,
        failed: sql`webhook_queues.failed - input.failed`,
      },
      from: valuesTable({ id: 'text', succeeded: 'int', failed: 'int' }, byQueue),
      where: sql`webhook_queues.webhook_id = input.id`,
    }),
  )
  await removeUnusedPayloads(
    tx,
    rows.map(({ event_id, account_id }) => ({ eventId: event_id, accountId: account_id })),
  )
}
