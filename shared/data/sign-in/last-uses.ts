import type { Queries } from '../database.ts'
import { raw, sql } from '../sql/sql.ts'
import { updateFrom, valuesTable } from '../sql/statements.ts'

/** The tables whose rows store when they were last used. */
export type UsedTable = 'sessions' | 'tokens'

/** Stores when sessions or tokens were last used (epoch milliseconds), with one statement; never sets a time back. */
export async function recordUses(
  db: Queries,
  table: UsedTable,
  uses: readonly { id: string; at: number }[],
): Promise<void> {
  const [id, lastUse] = [raw(`${table}.id`), raw(`${table}.last_used_at`)]
  const rows = uses.map((use) => [use.id, use.at])
  await db.run(
    updateFrom({
      table,
      set: { last_used_at: sql`input.used_at` },
      from: valuesTable({ id: 'text', used_at: 'int' }, rows),
      where: sql`${id} = input.id and coalesce(${lastUse}, 0) < input.used_at`,
    }),
  )
}
