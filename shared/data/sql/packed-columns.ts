import type { Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { raw, sql } from './sql.ts'

/** Columns to select: an SQL expression for each name. */
export type NamedColumns = Readonly<Record<string, string>>

/** The columns as text for a select. */
export function namedColumns(columns: NamedColumns): string {
  return Object.entries(columns)
    .map(([name, column]) => (column.endsWith(`.${name}`) ? column : `${column} as ${name}`))
    .join(', ')
}

/**
 * Short columns of many rows. SQLite's driver creates a value for every column of every row in the main thread, so on SQLite each
 * row is one JSON text: 20 rows of 17 columns take 67 µs of CPU instead of 114. Other columns may be selected with them.
 */
export type PackedColumns = {
  select: Sql
  /** The rows with these columns by name. */
  unpack(rows: readonly Row[]): Row[]
}

export function packedColumns(columns: NamedColumns): PackedColumns {
  const names = Object.keys(columns)
  const separate = raw(namedColumns(columns))
  const asArray = raw(`json_array(${Object.values(columns).join(', ')}) as packed`)
  return {
    select: (dialect) => (dialect.packsColumns ? asArray : separate)(dialect),
    unpack: (rows) => rows.map((row) => (typeof row.packed === 'string' ? unpackRow(names, row, row.packed) : row)),
  }
}

function unpackRow(names: readonly string[], row: Row, packed: string): Row {
  const values: unknown[] = JSON.parse(packed)
  const unpacked: Row = { ...row }
  for (const [position, name] of names.entries()) unpacked[name] = values[position]
  return unpacked
}

/** Short columns of thousands of rows of a select, which SQLite returns as one JSON text. */
export type PackedRows = {
  /**
   * Selects the rows of a select that has these columns.
   * @param constant a column that is the same in all rows, for example `1 as n`
   */
  select(rows: Sql, constant: string): Sql
  /** The rows that a row from the database contains, each as values in the order of the columns. */
  unpack(row: Row): readonly (readonly unknown[])[]
}

export function packedRows(names: readonly string[]): PackedRows {
  const columns = names.join(', ')
  const asOne = raw(`json_group_array(json_array(${columns})) as packed`)
  return {
    select: (rows, constant) => (dialect) =>
      sql`select ${raw(constant)}, ${dialect.packsColumns ? asOne : raw(columns)} from (${rows}) as p`(dialect),
    unpack(row) {
      return typeof row.packed === 'string' ? JSON.parse(row.packed) : [names.map((name) => row[name])]
    },
  }
}
