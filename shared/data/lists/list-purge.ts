import type { Database, Queries } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'

/** The most that one batch may delete: other writers wait for it. */
type BatchSize = {
  items: number
  /** Bytes of item data in the batch; the first item is always taken. */
  bytes: number
}

/** The id of the list to purge next, the one that was deleted first; null: none. */
export async function nextPurge(db: Queries): Promise<string | null> {
  const row = await db.get<{ list_id: string }>(
    sql`select list_id from list_purges order by deleted_at, list_id limit 1`,
  )
  return row?.list_id ?? null
}

/**
 * Deletes a batch of the items of a deleted list with their tags and index values. When no item is left it deletes the
 * list's indexes and ends the purge. A batch is one transaction, so another process continues after one that died; two
 * processes at once only repeat each other's work.
 * @returns how many items were deleted, and for how many milliseconds the write lock was held; `done`: nothing is left
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
    // No item can have been added meanwhile: a commit checks that the list exists.
    await tx.run(sql`delete from indexes where list_id = ${listId}`)
    await tx.run(sql`delete from list_purges where list_id = ${listId}`)
    return true
  })
  return { deleted: ids.length, heldMs: performance.now() - startedAt, done }
}

/** Oldest first: they are stored side by side, so a batch touches few pages. */
async function itemsToPurge(db: Queries, listId: string, { items, bytes }: BatchSize): Promise<string[]> {
  const rows = await db.all<{ id: string; size: number }>(
    sql`select id, size from items
     where list_id = ${listId} order by activated, readonly, created_at limit ${items}`,
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
