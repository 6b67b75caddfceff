import type { Batch } from '../background/pacer.ts'
import { timedTransaction } from '../background/timed-transaction.ts'
import type { Database, Queries } from '../database.ts'
import { type ItemPosition, nextItems, type StepSize } from '../items/item-walk.ts'
import { sql } from '../sql/sql.ts'
import { deleteInList } from '../sql/statements.ts'

/** The purge of a deleted list, and the item after which the next batch starts; null: from the first. */
export type ListPurge = { listId: string; from: ItemPosition | null }

/** The next purge, that of the list that was deleted first; null: none. */
export async function nextPurge(db: Queries): Promise<ListPurge | null> {
  const row = await db.get<{ list_id: string }>(
    sql`select list_id from list_purges order by deleted_at, list_id limit 1`,
  )
  return row ? { listId: row.list_id, from: null } : null
}

/**
 * Deletes a batch of the items of a deleted list with their tags and index values, and when no item is left the list's indexes and the
 * purge itself. A batch is one transaction, so another process continues after one that died, from the first item that is left; two
 * processes at once only repeat each other's work. Continuing after the position of the batch avoids scanning deleted rows, which on
 * Postgres stay in the index until a vacuum.
 * @param size the maximum that the batch deletes: other writers wait for it
 */
export async function purgeBatch(
  db: Database,
  { listId, from }: ListPurge,
  size: StepSize,
): Promise<Batch & { position: ItemPosition | null }> {
  const next = await nextItems(db, { listId, from }, size)
  const { took } = await timedTransaction(db, async (tx) => {
    if (next) {
      await tx.run(deleteInList('index_values', 'item_id', next.ids))
      await tx.run(deleteInList('index_elements', 'item_id', next.ids))
      await tx.run(deleteInList('item_tags', 'item_id', next.ids))
      await tx.run(deleteInList('items', 'id', next.ids))
      return
    }
    // No item can have been added meanwhile: a commit checks that the list exists.
    await tx.run(sql`delete from indexes where list_id = ${listId}`)
    await tx.run(sql`delete from list_purges where list_id = ${listId}`)
  })
  return { rows: next?.ids.length ?? 0, took, more: next !== null, position: next?.position ?? null }
}
