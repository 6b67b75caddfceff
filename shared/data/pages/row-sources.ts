import { maxCounted } from '#shared/domain/limits.ts'
import { toText } from '../columns.ts'
import type { Queries } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { sql } from '../sql/sql.ts'
import { limitUnion } from '../sql/statements.ts'

/** Selects of the `id` of rows, each from an index; some ids may occur twice. */
export type RowSource = readonly Sql[]

/**
 * The ids from the source with the fewest rows; null: there is no source, or each has more than `most` rows. The choice is not
 * left to the database, which misestimates how many rows one value has.
 */
export async function fewestRows(
  db: Queries,
  sources: readonly RowSource[],
  most = maxCounted,
): Promise<string[] | null> {
  const [only, ...others] = sources
  if (!only) return null
  const fewest = others.length === 0 ? only : await sourceOfFewest(db, sources, most)
  const rows = await db.all(limitUnion(fewest, most + 1))
  return rows.length > most ? null : [...new Set(rows.map(({ id }) => toText(id)))]
}

async function sourceOfFewest(db: Queries, sources: readonly RowSource[], most: number): Promise<RowSource> {
  const counts = await Promise.all(
    sources.map(async (source) => {
      const found = sql`select count(*) as n from (${limitUnion(source, most + 1)}) as found`
      return (await db.get<{ n: number }>(found))?.n ?? 0
    }),
  )
  return sources[counts.indexOf(Math.min(...counts))] ?? []
}
