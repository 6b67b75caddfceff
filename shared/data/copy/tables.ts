import { toNumberOrNull, toText, toTextOrNull } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import type { ColumnValue } from '../dialect.ts'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open-database.ts'
import { sql } from '../sql/sql.ts'

/** A table of this version's schema, which every database has with the same columns. */
export type TableShape = {
  name: string
  columns: readonly Column[]
  /** The columns of the primary key, in its order. */
  key: readonly string[]
}

export type Column = {
  name: string
  /** The type in the SQLite migrations, in lower case. */
  type: string
  read(value: unknown): ColumnValue
}

/**
 * All tables except the settings, by name. Read from an empty in-memory SQLite database after all migrations, so that they always match the
 * migrations.
 */
export async function listTables(): Promise<TableShape[]> {
  const db = await openDatabase({ url: 'sqlite::memory:', dataDir: '', readers: 0 })
  try {
    await migrate(db)
    return await readTables(db)
  } finally {
    await db.close()
  }
}

/** The same for the tables of a SQLite database. */
export async function readTables(db: Queries): Promise<TableShape[]> {
  const rows = await db.all(sql`select t.name as table_name, c.name, c.type, c.pk
      from sqlite_schema t join pragma_table_info(t.name) c
      where t.type = 'table' and t.name not like 'sqlite_%' and t.name <> 'settings' order by t.name, c.cid`)
  return [...Map.groupBy(rows, (row) => toText(row.table_name))].map(([name, columns]) => tableOf(name, columns))
}

function tableOf(name: string, rows: readonly Row[]): TableShape {
  const columns = rows.map((row): Column => {
    // SQLite returns some types in capitals, whatever the table was created with.
    const type = toText(row.type).toLowerCase()
    return { name: toText(row.name), type, read: /^(big|small)int|^double/.test(type) ? toNumberOrNull : toTextOrNull }
  })
  const inKey = rows.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk))
  return { name, columns, key: inKey.map((row) => toText(row.name)) }
}
