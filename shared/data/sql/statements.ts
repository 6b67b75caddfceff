import type { Queries } from '../database.ts'
import type {
  BranchPart,
  ListedRows,
  NestedRows,
  NestedTable,
  RangePart,
  RowsWithAny,
  Sql,
  UpdateFrom,
  ValuesColumns,
} from '../dialect.ts'
import { raw, sql } from './sql.ts'

/** The database's clock in epoch milliseconds; leases and due times run on it. */
export const databaseClock: Sql = (dialect) => dialect.clock()

/** The version of the database, as text: `select ${serverVersion} as version`. */
export const serverVersion: Sql = (dialect) => dialect.serverVersion()

/** A select of `name` and `bytes`: tables with their indexes, or all of them as one. */
export const databaseSizes: Sql = (dialect) => dialect.databaseSizes()

/** The condition that a column is one of the values: `where ${inList('id', ids)}`. */
export function inList(column: string, values: readonly (string | number)[]): Sql {
  return (dialect) => dialect.inList(column, values)
}

/**
 * The `from` and `where` of a select from the rows of a table that have one of the values in a column; more conditions may
 * follow. Each value is looked up in the index of the columns in `where` and this one, whatever the database knows of them.
 */
export function rowsWithAny(rows: RowsWithAny): Sql {
  const { from, where, column, values } = rows
  if (values.length === 1) return sql`from ${from} where ${where} and ${raw(column)} = ${values[0]}`
  return (dialect) => dialect.rowsWithAny(rows)
}

/**
 * A text column in a condition on rows that are found in another way. SQLite would prefer an index of the column to a list of ids,
 * and would read all rows of a list or an account to find a few.
 */
export function unindexed(column: string): Sql {
  return raw(`coalesce(${column}, '')`)
}

/**
 * A values table: rows as a table named `input`, for `from` and `join`. Each row has its values in the order of the columns. Its
 * text does not depend on the number of rows, so that the statement stays prepared.
 */
export function valuesTable(columns: ValuesColumns, rows: readonly (readonly unknown[])[]): Sql {
  return (dialect) => dialect.valuesTable(columns, rows)
}

/** Ids as a values table with the column `id`. */
export function idTable(ids: readonly string[]): Sql {
  return valuesTable(
    { id: 'text' },
    ids.map((id) => [id]),
  )
}

/**
 * Updates a table from the rows of a values table, each of which matches one row by its primary key. Every expression
 * qualifies the table's columns with its name, and reads no column that the same statement sets: MySQL would read the new value.
 */
export function updateFrom(update: UpdateFrom): Sql {
  return (dialect) => dialect.updateFrom(update)
}

/** Deletes the rows whose first primary key column is one of the values; it waits for no other rows. */
export function deleteInList(table: string, column: string, values: readonly string[]): Sql {
  return deleteListed({ table, column, values })
}

/** The same by the first column of another index, or only for rows that meet another condition. */
export function deleteListed(rows: ListedRows): Sql {
  return (dialect) => dialect.deleteInList(rows)
}

/** The end of an insert: what to set when a row with the same key exists; an empty `set` leaves that row as it is. */
export function onConflict(key: readonly string[], set: Readonly<Record<string, Sql>>): Sql {
  return (dialect) => dialect.onConflict(key, set)
}

/** Within `onConflict`: the value in the row that was to be inserted. */
export function excluded(column: string): Sql {
  return (dialect) => dialect.excluded(column)
}

/** A JSON array of the values of at most 100 columns; some drivers return its text, others the array. */
export function jsonArray(columns: readonly string[]): Sql {
  return (dialect) => dialect.jsonArray(columns)
}

/**
 * The rows of a table that belong to each row of a select. Where the database can build one, they are one column: a driver returns
 * each row at about the same cost, however many nested rows it contains.
 */
export function nestedRows(rows: NestedTable): NestedRows {
  const part =
    (name: keyof NestedRows): Sql =>
    (dialect) =>
      dialect.nestedRows(rows)[name](dialect)
  return { nested: part('nested'), join: part('join') }
}

/** The condition that a column's JSON array of texts contains one of the values. */
export function jsonArrayContainsAny(column: string, values: readonly string[]): Sql {
  return (dialect) => dialect.jsonArrayContainsAny(column, values)
}

/**
 * A page of rows from several ranges, each of which an index has in the order of the page: the ranges are merged, and each
 * is read only as far as the page goes. All select the same columns and have no `order by` or `limit`.
 */
export function unionAllOrdered(ranges: readonly Sql[], part: RangePart): Sql {
  return (dialect) => dialect.unionAllOrdered(ranges, part)
}

/**
 * The first rows of an ordered and limited select that pass: `id` and `k` of a row `f`. The limit of the select bounds what is read,
 * and it is read only as far as the rows go.
 */
export function passingRows(rows: Sql, passes: Sql, part: RangePart): Sql {
  return (dialect) => dialect.passingRows(rows, passes, part)
}

/** At most `limit` rows of several selects, in any order; the database stops reading there if it can. */
export function limitUnion(selects: readonly Sql[], limit: number): Sql {
  return (dialect) => dialect.limitUnion(selects, limit)
}

/**
 * A table with its alias, for `from`, that is read through this index: MariaDB compares a range of it with a range of the
 * primary key, and then reads every row with the same leading columns from the beginning up to the range.
 */
export function throughIndex(table: string, index: string): Sql {
  return (dialect) => dialect.throughIndex(table, index)
}

/**
 * A range for `unionAllOrdered` whose index has the order of the page only because a leading column is null in all of its
 * rows: `order` names that column too. The rows are those up to the end of the part.
 */
export function limitBranch(range: Sql, part: BranchPart): Sql {
  return (dialect) => dialect.limitBranch(range, part)
}

/**
 * The text after `order by` for a range that an index has in this order only because a leading column is null in all of its rows.
 * @param leading that column, with its direction
 */
export function orderBehindNull(leading: string, order: string): Sql {
  return (dialect) => dialect.orderBehindNull(leading, order)
}

/** The condition that a column's text begins with this text, exactly. */
export function startsWith(column: string, text: string): Sql {
  return (dialect) => dialect.startsWith(column, text)
}

/** The condition that a column's text contains this text, exactly. */
export function contains(column: string, text: string): Sql {
  return (dialect) => dialect.contains(column, text)
}

/** The first line of a column's text, without its end. */
export function firstLine(column: string): Sql {
  return (dialect) => dialect.firstLine(column)
}

/**
 * The end of a select of one table: no other transaction changes its rows until this one ends. On SQLite a transaction has
 * the whole database for itself, so the text is empty there. Lock rows in the order of their ids, or two transactions
 * deadlock.
 */
export const forUpdate: Sql = ({ lock }) => ({ text: lock.forUpdate, bindings: [] })
/** Like `forUpdate`, but skips rows that another transaction has locked. */
export const forUpdateSkippingLocked: Sql = ({ lock }) => ({ text: lock.forUpdateSkippingLocked, bindings: [] })
/** Other transactions may also lock the rows for share, but cannot change them. */
export const forShare: Sql = ({ lock }) => ({ text: lock.forShare, bindings: [] })
/** Like `forShare`, but skips rows that another transaction is about to change. */
export const forShareSkippingLocked: Sql = ({ lock }) => ({ text: lock.forShareSkippingLocked, bindings: [] })

/** Whether the database has row locks: without them, a statement that only locks is left out. */
export function locksRows({ dialect }: Queries): boolean {
  return dialect.lock.forUpdate !== ''
}

/** The maximum number of selects in one union: SQLite and MySQL take long to prepare more. */
export const selectsAtOnce = 20
