import { toText } from '../columns.ts'
import type { Database } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'

/**
 * Deletes a batch of values that no index has any more. No write adds to them: item writes prove the settings version, and
 * batches of a build their step.
 * @returns for how many milliseconds rows were locked; null: there is nothing left to purge
 */
export async function purgeValues(db: Database, maxItems: number): Promise<{ heldMs: number } | null> {
  const purge = await db.get<{ values_id: string }>(
    sql`select values_id from index_value_purges order by values_id limit 1`,
  )
  if (!purge) return null
  const rows = await db.all(sql`select item_id from index_values where index_id = ${purge.values_id} limit ${maxItems}`)
  const ids = rows.map(({ item_id }) => toText(item_id))
  let startedAt = 0
  await db.transaction(async (tx) => {
    startedAt = performance.now()
    if (ids.length === 0) await tx.run(sql`delete from index_value_purges where values_id = ${purge.values_id}`)
    else {
      await tx.run(sql`delete from index_values where ${inList('item_id', ids)} and index_id = ${purge.values_id}`)
    }
  })
  return { heldMs: performance.now() - startedAt }
}
