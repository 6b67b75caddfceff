/** Text with `?` marks and their values from left to right: what a driver executes. */
export type Rendered = { text: string; bindings: readonly unknown[] }

/**
 * A statement, or a part of one, as a value: parts are put together first, and the database that runs the whole renders
 * it in its own dialect. What the databases say differently are the functions of `statements.ts`.
 */
export type Sql = (dialect: Dialect) => Rendered

/** Columns of given rows, in order; whole numbers reach to 2^53, and text to 768 characters if it is not long. */
export type ValuesColumns = Readonly<Record<string, 'text' | 'longText' | 'int'>>

/** Rows whose columns another table's rows are set from; expressions name that table's columns with its name. */
export type UpdateFrom = { table: string; set: Readonly<Record<string, Sql>>; from: Sql; where: Sql }

/** Which rows of ordered ranges are wanted: `order` is the text behind `order by`. */
export type RangePart = { order: string; limit: number; offset: number }

/** What the databases say differently, each in one place. Statements use it through `statements.ts`. */
export type Dialect = {
  readonly name: 'sqlite' | 'postgres' | 'mysql'
  /** One value. */
  value(value: unknown): Rendered
  /** Whether a column is one of some values; of none it is not. */
  inList(column: string, values: readonly (string | number)[]): Rendered
  /** Rows in `from` or `join`, under the name `given`; the text is the same however many there are. */
  valuesTable(columns: ValuesColumns, rows: readonly (readonly unknown[])[]): Rendered
  /** Whether a column that holds a JSON array of texts has one of these. */
  jsonArrayContainsAny(column: string, values: readonly string[]): Rendered
  /** How many of the rows that wait to be inserted the next statement takes; each number has a text of its own. */
  rowsOfInsert(waiting: number): number
  updateFrom(update: UpdateFrom): Rendered
  /** Deletes the rows that have one of some texts in the first column of their primary key, and locks no others. */
  deleteInList(table: string, column: string, values: readonly string[]): Rendered
  /** The end of an insert: what a row whose key is there already changes in the one that is. */
  onConflict(key: readonly string[], set: Readonly<Record<string, Sql>>): Rendered
  /** The value that the row to insert has, within `onConflict`. */
  excluded(column: string): Rendered
  /** Whether a column's text begins with a text, or contains one; both exactly, by code points. */
  startsWith(column: string, text: string): Rendered
  contains(column: string, text: string): Rendered
  /** Rows of ranges that an index has in this order, merged; none is read further than the part needs. */
  unionAllOrdered(ranges: readonly Sql[], part: RangePart): Rendered
  /** Rows of selects in no order, no more than so many, and none read further. */
  limitUnion(selects: readonly Sql[], limit: number): Rendered
  /** The first rows of a range in an order that its index has and that is the page's too, where only this order tells. */
  limitBranch(range: Sql, part: { order: string; limit: number }): Rendered
  /** The end of a select of one table: its rows are locked until the transaction ends, and how. */
  lock: Readonly<Record<'forUpdate' | 'forUpdateSkippingLocked' | 'forShare', string>>
  /** How tables are made. */
  types: ColumnTypes
  /** Whether a statement that changes the schema belongs to its transaction; otherwise it commits what is before it. */
  transactionalSchema: boolean
  /** Whether an error says that a change of the schema has been made before. */
  isSchemaChangeDone(error: unknown): boolean
}

/** Types of columns. Text compares by bytes, its trailing spaces included, and has no case: keys are folded before. */
export type ColumnTypes = {
  /** Text of so many characters, fit for keys. */
  text(length: number): string
  /** Text of any length that is in no key. */
  longText: string
  /** Whole numbers to 2^53: times, counters. */
  int: string
  /** 0 or 1. */
  flag: string
  double: string
  /** Of a table, where that has to be said. */
  collation: string | null
  /** Ends the statement that makes a table whose rows are in the order of the primary key, where that has to be said. */
  byPrimaryKey: string
}
