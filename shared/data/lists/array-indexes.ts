import type { Database } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'

/**
 * Records that indexes may have elements of arrays, under the list's next settings version. Every item write verifies its settings version,
 * so no write stores or leaves elements without knowing about them.
 */
export async function noteArrays(
  db: Database,
  { listId, valuesIds }: { listId: string; valuesIds: readonly string[] },
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(sql`update lists set config_version = config_version + 1 where id = ${listId}`)
    await tx.run(sql`update indexes set arrays = 1 where list_id = ${listId} and ${inList('values_id', valuesIds)}`)
  })
}
