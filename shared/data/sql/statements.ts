import type { Queries } from '../database.ts'
import type { RangePart, Sql, UpdateFrom, ValuesColumns } from './dialect.ts'

/** Whether a column is one of some values: `where ${among('id', ids)}`. */
export function inList(column: string, values: readonly (string | number)[]): Sql {
  return (dialect) => dialect.inList(column, values)
}

/**
 * Rows as a table named `given`, for `from` and `join`: its columns in order, each row in the same order.
 * Its text is the same whatever the number of rows, so that the statement stays prepared.
 */
export function valuesTable(columns: ValuesColumns, rows: readonly (readonly unknown[])[]): Sql {
  return (dialect) => dialect.valuesTable(columns, rows)
}

/** Ids as a table `given` with the column `id`. */
export function idTable(ids: readonly string[]): Sql {
  return valuesTable(
    { id: 'text' },
    ids.map((id) => [id]),
  )
}

/**
 * Sets columns of a table from given rows, each of which finds one by its primary key. Columns of the table are named with
 * it in every expression, and none depends on another that the same statement sets: MySQL reads what it has just set.
 */
export function updateFrom(update: UpdateFrom): Sql {
  return (dialect) => dialect.updateFrom(update)
}

/** Deletes the rows that have one of some texts in the first column of their primary key; it waits for no other rows. */
export function deleteInList(table: string, column: string, values: readonly string[]): Sql {
  return (dialect) => dialect.deleteInList(table, column, values)
}

/** The end of an insert: what is set where a row with the same key is there; nothing in `set` leaves it as it is. */
export function onConflict(key: readonly string[], set: Readonly<Record<string, Sql>>): Sql {
  return (dialect) => dialect.onConflict(key, set)
}

/** Within `onConflict`: the value of the row that was to be inserted. */
export function excluded(column: string): Sql {
  return (dialect) => dialect.excluded(column)
}

/** Whether a column that holds a JSON array of texts has one of these. */
export function jsonArrayContainsAny(column: string, values: readonly string[]): Sql {
  return (dialect) => dialect.jsonArrayContainsAny(column, values)
}

/**
 * A page of rows from several ranges, each of which an index has in the order of the page: they are merged, and each is
 * read only as far as the page goes. All select the same columns, and are without `order by` and `limit`.
 */
export function unionAllOrdered(ranges: readonly Sql[], part: RangePart): Sql {
  return (dialect) => dialect.unionAllOrdered(ranges, part)
}

/** Rows of several selects in no order, no more than so many; none is read further, as far as the database can tell. */
export function limitUnion(selects: readonly Sql[], limit: number): Sql {
  return (dialect) => dialect.limitUnion(selects, limit)
}

/**
 * A range whose index has the order of the page only because a leading column is null in all of its rows: `order` names
 * that column too. For `merged`, with as many rows as the page reaches.
 */
export function limitBranch(range: Sql, part: { order: string; limit: number }): Sql {
  return (dialect) => dialect.limitBranch(range, part)
}

/** Whether a column's text begins with this text, exactly. */
export function startsWith(column: string, text: string): Sql {
  return (dialect) => dialect.startsWith(column, text)
}

/** Whether a column's text contains this text, exactly. */
export function contains(column: string, text: string): Sql {
  return (dialect) => dialect.contains(column, text)
}

/**
 * Ends of a select of one table: nobody else changes its rows until the transaction ends. On SQLite a transaction has
 * the whole database for itself, so they are empty there. Lock rows in the order of their ids, or two transactions wait
 * for each other.
 */
export const forUpdate: Sql = ({ lock }) => ({ text: lock.forUpdate, bindings: [] })
/** As `forUpdate`, but rows that another transaction has locked are left out. */
export const forUpdateSkippingLocked: Sql = ({ lock }) => ({ text: lock.forUpdateSkippingLocked, bindings: [] })
/** Others may read-lock the rows too, and change none. */
export const forShare: Sql = ({ lock }) => ({ text: lock.forShare, bindings: [] })

/** Whether there is anything to lock: a statement that does nothing else is left out where there is not. */
export function locksRows({ dialect }: Queries): boolean {
  return dialect.lock.forUpdate !== ''
}
