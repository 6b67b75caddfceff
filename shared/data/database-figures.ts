import { toNumber, toText } from './columns.ts'
import { listTables } from './copy/tables.ts'
import type { Database } from './database.ts'
import { raw, sql } from './sql/sql.ts'
import { databaseSizes, serverVersion } from './sql/statements.ts'

/** The size of a database. */
export type DatabaseFigures = {
  /** The version of the database server. */
  server: string
  /** By table, including indexes; for SQLite the file, and its free space. */
  bytes: Readonly<Record<string, number>>
  /** By table; `over …` if counting further would take long. */
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
