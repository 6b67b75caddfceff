import type { Knex } from 'knex'
import type { ColumnTypes } from '../dialect.ts'

/** A builder of one table: columns in the database's types, nullable by default, and keys. */
type Table = {
  text(name: string, length: number): Knex.ColumnBuilder
  longText(name: string): Knex.ColumnBuilder
  int(name: string): Knex.ColumnBuilder
  flag(name: string): Knex.ColumnBuilder
  double(name: string): Knex.ColumnBuilder
  /** A flag that the database computes from other columns of the row: also from what older code writes. */
  computedFlag(name: string, expression: string): Knex.ColumnBuilder
  primary(columns: readonly string[]): void
  /**
   * Stores the rows in the order of the primary key, where the database offers the choice: a row is found and written in one
   * tree instead of two. For short rows that are found by their key.
   */
  byPrimaryKey(): void
  unique(columns: readonly string[], options?: IndexOptions): void
  index(columns: readonly string[], options?: IndexOptions): void
}

type IndexOptions = {
  /** A shorter name, for an index whose default name would exceed the limits of the databases. */
  name?: string
  /** A column that is null in most rows but never in searched ones: the index omits its nulls where the database can. */
  without?: string
}

/** Tables by name, each with the function that defines it. */
export type Tables = Readonly<Record<string, (table: Table) => void>>

/** The statements that create tables, in this order. */
export function createTables(build: Knex, types: ColumnTypes, tables: Tables): Knex.Sql[] {
  return Object.entries(tables).flatMap(([name, describe]) => createTable(build, types, { name, describe }))
}

/** The statements that add columns and keys to tables and drop indexes, in this order. */
export function extendTables(build: Knex, types: ColumnTypes, tables: Readonly<Record<string, Extension>>): Knex.Sql[] {
  return Object.entries(tables).flatMap(([name, describe]) => {
    const extended = build.schema.alterTable(name, (builder) => {
      const dropIndex = (columns: readonly string[], name?: string) => void builder.dropIndex([...columns], name)
      describe({ ...columnsOf(builder, types), ...keysOf(builder, build), dropIndex })
    })
    return extended.toSQL() as unknown as Knex.Sql[]
  })
}

type Extension = (
  table: Omit<Table, 'byPrimaryKey'> & { dropIndex(columns: readonly string[], name?: string): void },
) => void

function createTable(build: Knex, types: ColumnTypes, table: { name: string; describe(table: Table): void }) {
  let order = ''
  const byPrimaryKey = () => {
    order = types.byPrimaryKey
  }
  const builtTable = build.schema.createTable(table.name, (builder) => {
    if (types.collation !== null) builder.collate(types.collation)
    table.describe({ ...columnsOf(builder, types), ...keysOf(builder, build), byPrimaryKey })
  })
  const [create, ...indexes] = builtTable.toSQL() as unknown as Knex.Sql[]
  return create ? [{ ...create, sql: create.sql + order }, ...indexes] : []
}

type Column = (name: string, length: number) => Knex.ColumnBuilder

function columnsOf(builder: Knex.CreateTableBuilder, types: ColumnTypes) {
  const text: Column = (name, length) => builder.specificType(name, types.text(length))
  const of = (type: string) => (name: string) => builder.specificType(name, type)
  const computedFlag = (name: string, expression: string) =>
    builder.specificType(name, `${types.flag} generated always as (${expression}) ${types.computed}`)
  return {
    text,
    longText: of(types.longText),
    int: of(types.int),
    flag: of(types.flag),
    double: of(types.double),
    computedFlag,
  }
}

function keysOf(builder: Knex.CreateTableBuilder, build: Knex) {
  const settings = ({ name, without }: IndexOptions = {}) => ({
    ...(name && { indexName: name }),
    // MySQL has no partial indexes, and Knex ignores the predicate there.
    ...(without && { predicate: build.whereNotNull(without) }),
  })
  return {
    primary: (columns: readonly string[]) => void builder.primary([...columns]),
    unique: (columns: readonly string[], options?: IndexOptions) =>
      void builder.unique([...columns], settings(options)),
    index(columns: readonly string[], options?: IndexOptions) {
      const { indexName, ...others } = settings(options)
      builder.index([...columns], indexName, others)
    },
  }
}
