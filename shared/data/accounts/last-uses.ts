import type { Queries } from '../database.ts'
import { raw, sql } from '../sql/sql.ts'
import { updateFrom, valuesTable } from '../sql/statements.ts'

/** Tables whose rows say when they were last used. */
export type UsedTable = 'sessions' | 'tokens'

/** Notes when sessions or tokens were last used (epoch milliseconds), with one statement; never sets one back. */
export async function noteUses(
  db: Queries,
  table: UsedTable,
  uses: readonly { id: string; at: number }[],
): Promise<void> {
  const [id, lastUse] = [raw(`${table}.id`), raw(`${table}.last_used_at`)]
  const rows = uses.map((use) => [use.id, use.at])
  await db.run(
    updateFrom({
      table,
      set: { last_used_at: sql`given.used_at` },
      from: valuesTable({ id: 'text', used_at: 'int' }, rows),
      where: sql`${id} = given.id and coalesce(${lastUse}, 0) < given.used_at`,
    }),
  )
}
