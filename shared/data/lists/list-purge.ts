import type { Database, Queries } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'

/** How much one batch may delete: other writers wait for it. */
export type BatchSize = {
  items: number
  /** Of item data, of the batch together; the first item is taken whatever its size. */
  bytes: number
}

/** The list that was deleted first of those whose items are not purged yet; null: there is none. */
export async function nextPurge(db: Queries): Promise<string | null> {
  const row = await db.get<{ list_id: string }>('select list_id from list_purges order by deleted_at, list_id limit 1')
  return row?.list_id ?? null
}

/**
 * Deletes a batch of the items of a deleted list with all that belongs to them, and when none is left, the list's indexes
 * and the note that it is to be purged. A batch is one transaction, so whoever dies leaves the rest for the next one; two
 * at once only do the same.
 * @returns how many items went, and how long the write lock was held, in milliseconds; `done`: nothing is left
 */
export async function purgeBatch(
  db: Database,
  listId: string,
  size: BatchSize,
): Promise<{ deleted: number; heldMs: number; done: boolean }> {
  const ids = await itemsToPurge(db, listId, size)
  let startedAt = 0
  const done = await db.transaction(async (tx) => {
    startedAt = performance.now()
    if (ids.length > 0) {
      await tx.run(sql`delete from index_values where ${inList('item_id', ids)}`)
      await tx.run(sql`delete from item_tags where ${inList('item_id', ids)}`)
      await tx.run(sql`delete from items where ${inList('id', ids)}`)
      return false
    }
    // Nothing can have been added: whoever adds proves that the list is there.
    await tx.run('delete from indexes where list_id = ?', [listId])
    await tx.run('delete from list_purges where list_id = ?', [listId])
    return true
  })
  return { deleted: ids.length, heldMs: performance.now() - startedAt, done }
}

/** Oldest first: they lie side by side, so a batch touches few pages. */
async function itemsToPurge(db: Queries, listId: string, { items, bytes }: BatchSize): Promise<string[]> {
  const rows = await db.all<{ id: string; size: number }>(
    `select id, size from items
     where list_id = ? order by activated, readonly, created_at limit ?`,
    [listId, items],
  )
  const ids: string[] = []
  let left = bytes
  for (const { id, size } of rows) {
    left -= size
    if (left < 0 && ids.length > 0) break
    ids.push(id)
  }
  return ids
}
