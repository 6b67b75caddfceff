/** Text with `?` marks and their values from left to right: what a driver executes. */
export type Rendered = { text: string; bindings: readonly unknown[] }

/**
 * A statement, or a part of one, as a value: parts are composed first, and the database that runs the statement renders it in its dialect.
 * Differences between the databases are written with the functions of `statements.ts`.
 */
export type Sql = (dialect: Dialect) => Rendered

/** Columns of a values table, in order: `int` for whole numbers to 2^53, `text` for at most 768 characters. */
export type ValuesColumns = Readonly<Record<string, 'text' | 'longText' | 'int'>>

/** Rows of a table that have one of some values in a column, and meet the condition `and`. */
export type ListedRows = {
  table: string
  column: string
  values: readonly string[]
  /** The index that begins with the column; absent: the primary key does. */
  index?: string
  and?: Sql
}

/** An update of a table from the rows of `from`; expressions qualify the table's columns with its name. */
export type UpdateFrom = { table: string; set: Readonly<Record<string, Sql>>; from: Sql; where: Sql }

/**
 * The part of ordered ranges to read: `order` is the text after `order by`. `few`: the limit and the offset are of a few numbers and
 * are written into the text.
 */
export type RangePart = { order: string; limit: number; offset: number; few?: boolean }

/** The part of one of several ranges up to the end of a page; `offset`: absent, nothing is left out. */
export type BranchPart = Omit<RangePart, 'offset'> & { offset?: number }

/** Rows `x` of a table that meet a condition and have one of the values in a column; `columns`: what is read of them. */
export type RowsWithAny = {
  from: Sql
  columns: readonly string[]
  where: Sql
  column: string
  values: readonly string[]
}

/** Rows of a table, with these columns, that have in `column` the value of an expression of a select. */
export type NestedTable = { table: string; columns: readonly string[]; column: string; of: string }

/** A column `nested` to select, with a JSON array of rows (each an array) or null, and the join that it needs after `from`. */
export type NestedRows = Readonly<Record<'nested' | 'join', Sql>>

/** The table of an insert, and its columns. */
export type InsertInto = { table: string; columns: readonly string[] }

export type ColumnValue = string | number | boolean | null

/** The SQL that differs between the databases. Statements use it through `statements.ts`, which documents each part. */
export type Dialect = {
  readonly name: 'sqlite' | 'postgres' | 'mysql'
  /** The placeholder of one value in the text: `?`, possibly with a type. */
  mark(value: unknown): string
  /** The database's clock in epoch milliseconds. */
  clock(): Rendered
  /** The version of the database, as text. */
  serverVersion(): Rendered
  /** A select of `name` and `bytes`: tables with their indexes, or all of them as one. */
  databaseSizes(): Rendered
  /** The condition that a column is one of the values; false when there are none. */
  inList(column: string, values: readonly (string | number)[]): Rendered
  /** `from` and `where` of rows that have one of several values, each found by the value. */
  rowsWithAny(rows: RowsWithAny): Rendered
  /** Rows for `from` or `join`, under the name `input`; the text does not depend on their number. */
  valuesTable(columns: ValuesColumns, rows: readonly (readonly unknown[])[]): Rendered
  /** The condition that a column's JSON array of texts contains one of these. */
  jsonArrayContainsAny(column: string, values: readonly string[]): Rendered
  /** A JSON array of the columns' values, as text or parsed; at most 100 columns. */
  jsonArray(columns: readonly string[]): Rendered
  /** Rows of another table as a column of a select: all in one row of the select, or one per row. */
  nestedRows(rows: NestedTable): NestedRows
  /** The number of waiting rows that the next insert statement takes. */
  rowsOfInsert(waiting: number): number
  /**
   * The insert of rows with a binding for each column, whose text does not depend on their number; null: these rows are sent by values.
   */
  insertByColumns(into: InsertInto, values: readonly ColumnValue[]): Rendered | null
  updateFrom(update: UpdateFrom): Rendered
  /** Deletes the rows whose first primary key column is one of the texts, and locks no others. */
  deleteInList(rows: ListedRows): Rendered
  /** The end of an insert: the values to set in the existing row with the same key. */
  onConflict(key: readonly string[], set: Readonly<Record<string, Sql>>): Rendered
  /** Within `onConflict`: the value in the row that was to be inserted. */
  excluded(column: string): Rendered
  /** The conditions that a column's text begins with, or contains, a text; both exact, by code points. */
  startsWith(column: string, text: string): Rendered
  contains(column: string, text: string): Rendered
  /** The first line of a column's text, without its end. */
  firstLine(column: string): Rendered
  /** Whether texts can have an index of their parts, which serves `contains` (`parts-index.ts`). */
  indexesParts: boolean
  /** Merges ranges that an index has in this order, and reads each only as far as the part needs. */
  unionAllOrdered(ranges: readonly Sql[], part: RangePart): Rendered
  /** The first rows `f` of an ordered select that pass, in its order; where possible, it is read no further than these. */
  passingRows(rows: Sql, passes: Sql, part: RangePart): Rendered
  /** At most `limit` rows of several selects, in any order, without reading further. */
  limitUnion(selects: readonly Sql[], limit: number): Rendered
  /** Whether the driver transfers one text at lower cost than the columns of a row. */
  packsColumns: boolean
  /** A table with its alias, read through an index even where another one seems cheaper. */
  throughIndex(table: string, index: string): Rendered
  /** The first rows of a range whose index order equals the page's only when `order` is spelled out. */
  limitBranch(range: Sql, part: BranchPart): Rendered
  /** The order of a range after a leading column that is null in all of its rows, so that the range is read from the index. */
  orderBehindNull(leading: string, order: string): Rendered
  /** Ends of a select of one table that lock its rows until the transaction ends. */
  lock: Readonly<Record<'forUpdate' | 'forUpdateSkippingLocked' | 'forShare' | 'forShareSkippingLocked', string>>
  /** The column types for migrations. */
  types: ColumnTypes
  /** Whether schema changes are part of their transaction; otherwise each commits everything before it. */
  transactionalSchema: boolean
  /** Whether an error means that a schema change was applied already. */
  isSchemaChangeDone(error: unknown): boolean
}

/** Column types. Text is compared by bytes, including trailing spaces and case: keys are case-folded before. */
export type ColumnTypes = {
  /** Text of at most `length` characters, which can be part of a key. */
  text(length: number): string
  /** Text of any length, which cannot be part of a key. */
  longText: string
  /** Whole numbers to 2^53: times, counters. */
  int: string
  /** 0 or 1. */
  flag: string
  double: string
  /** The end of the definition of a column that is computed from others. */
  computed: 'stored' | 'virtual'
  /** The collation to declare for a table; null: none. */
  collation: string | null
  /** The end of a create-table statement that stores rows in primary key order; empty where that is the default. */
  byPrimaryKey: string
}
