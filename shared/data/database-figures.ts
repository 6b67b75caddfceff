import { toNumber, toText } from './columns.ts'
import { listTables } from './copy/tables.ts'
import type { Database } from './database.ts'
import { raw, sql } from './sql/sql.ts'
import { databaseSizes, serverVersion } from './sql/statements.ts'

/** How big a database is. */
export type DatabaseFigures = {
  /** The version that the database tells. */
  server: string
  /** By table, with its indexes; of a SQLite database the file, and what of it is free. */
  bytes: Readonly<Record<string, number>>
  /** By table; `over …` where counting further would take long. */
  rows: Readonly<Record<string, number | string>>
}

const countedRows = 100_000

/** Figures of a database that has this version's schema: no table is read further than 100,000 rows. */
export async function readFigures(db: Database): Promise<DatabaseFigures> {
  const version = await db.get(sql`select ${serverVersion} as version`)
  const sizes = await db.all(databaseSizes)
  const rows: Record<string, number | string> = {}
  for (const { name } of await listTables()) {
    const counted = await db.get(
      sql`select count(*) as counted from (select 1 as one from ${raw(name)} limit ${countedRows + 1}) as first_rows`,
    )
    const count = toNumber(counted?.counted)
    rows[name] = count > countedRows ? `over ${countedRows}` : count
  }
  const bytes = Object.fromEntries(sizes.map(({ name, bytes }) => [toText(name), toNumber(bytes)]))
  return { server: toText(version?.version), bytes, rows }
}
