import type { Database, Transaction } from './database.ts'
import { jsonRows } from './json-rows.ts'

const batchRows = 500

/**
 * Deletes one batch of deliveries that settled before a time, with their attempts, and the payloads nobody refers to any more.
 * The heads' counters follow. A pending delivery is never deleted (contract 2.7).
 * @returns how many deliveries went; fewer than a full batch: there are no more
 */
export async function deleteSettledDeliveries(
  db: Database,
  settledBefore: number,
): Promise<{ deleted: number; more: boolean }> {
  const deleted = await db.transaction(async (tx) => {
    const rows = await tx.all<SettledRow>(
      'select id, account_id, webhook_id, event_id, status from deliveries where completed_at <= ? order by completed_at limit ?',
      [settledBefore, batchRows],
    )
    if (rows.length > 0) await remove(tx, rows)
    return rows.length
  })
  return { deleted, more: deleted === batchRows }
}

type SettledRow = { id: string; account_id: string; webhook_id: string; event_id: string; status: string }

async function remove(tx: Transaction, rows: readonly SettledRow[]): Promise<void> {
  const ids = JSON.stringify(rows.map(({ id }) => [id]))
  await tx.run(`delete from delivery_attempts where delivery_id in (select id from ${jsonRows(['id'])})`, [ids])
  await tx.run(`delete from deliveries where id in (select id from ${jsonRows(['id'])})`, [ids])
  const counts = Map.groupBy(rows, ({ webhook_id }) => webhook_id)
  const byHead = [...counts].map(([id, settled]) => {
    const succeeded = settled.filter(({ status }) => status === 'succeeded').length
    return [id, succeeded, settled.length - succeeded]
  })
  await tx.run(
    `update webhook_heads set succeeded = webhook_heads.succeeded - given.succeeded, failed = webhook_heads.failed - given.failed
     from ${jsonRows(['id', 'succeeded', 'failed'])} where webhook_heads.webhook_id = given.id`,
    [JSON.stringify(byHead)],
  )
  // One look-up per webhook of the account instead of an index on event_id that every delivery would pay for.
  await tx.run(
    `delete from event_payloads where event_id in (select given.event_id from ${jsonRows(['event_id', 'account_id'])}
       where not exists (select 1 from webhooks w join deliveries d on d.webhook_id = w.id and d.event_id = given.event_id
         where w.account_id = given.account_id))`,
    [JSON.stringify(rows.map(({ event_id, account_id }) => [event_id, account_id]))],
  )
}
