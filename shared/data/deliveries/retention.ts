import type { Batch } from '../background/pacer.ts'
import { noTime, timedTransaction } from '../background/timed-transaction.ts'
import { toNumber } from '../columns.ts'
import type { Database, Queries, Transaction } from '../database.ts'
import { removeUnusedPayloads } from '../dispatch/outbox/payloads.ts'
import { lockQueues } from '../dispatch/queue-state.ts'
import { sql } from '../sql/sql.ts'
import { deleteInList, inList, throughIndex, updateFrom, valuesTable } from '../sql/statements.ts'

/**
 * Deletes one batch of old settled deliveries, the oldest first, with their attempts and the payloads that no other delivery uses, and
 * subtracts them from the queues' counters. A pending delivery is never deleted (contract 2.7).
 * @param options.from when the last delivery of the previous batch was settled, 0 for the first batch
 * @param options.until delete those that were settled up to this time
 * @param options.rows the most that the batch deletes
 * @returns `from`: the one of the next batch
 */
export async function deleteSettledDeliveries(
  db: Database,
  { from, until, rows }: { from: number; until: number; rows: number },
): Promise<Batch & { from: number }> {
  const oldest = await readOldest(db, { from, until, rows })
  const last = oldest.at(-1)
  if (!last) return { rows: 0, took: noTime, more: false, from }
  const { result, took } = await timedTransaction(db, async (tx) => {
    await lockQueues(
      tx,
      oldest.map(({ webhook_id }) => webhook_id),
    )
    const settled = await readSettled(tx, oldest, until)
    if (settled.length > 0) await remove(tx, settled)
    return settled.length
  })
  return { rows: result, took, more: oldest.length === rows, from: toNumber(last.completed_at) }
}

type OldRow = { id: string; webhook_id: string; completed_at: unknown }
type SettledRow = { id: string; account_id: string; webhook_id: string; event_id: string; status: string }

function readOldest(db: Queries, of: { from: number; until: number; rows: number }): Promise<OldRow[]> {
  return db.all(sql`select id, webhook_id, completed_at from ${throughIndex('deliveries', 'deliveries_completed_at_index')}
    where completed_at >= ${of.from} and completed_at <= ${of.until} order by completed_at limit ${of.rows}`)
}

/** The deliveries that still exist and are settled: one may have been requeued, or deleted with its webhook. */
function readSettled(tx: Transaction, oldest: readonly { id: string }[], until: number): Promise<SettledRow[]> {
  const ids = oldest.map(({ id }) => id)
  return tx.all(
    sql`select id, account_id, webhook_id, event_id, status from deliveries
      where ${inList('id', ids)} and completed_at <= ${until}`,
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
