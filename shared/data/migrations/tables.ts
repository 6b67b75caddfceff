import type { Knex } from 'knex'
import type { ColumnTypes } from '../sql/dialect.ts'

/** A table that is made: columns in the types of the database, null unless they say otherwise, and its keys. */
export type Table = {
  text(name: string, length: number): Knex.ColumnBuilder
  longText(name: string): Knex.ColumnBuilder
  int(name: string): Knex.ColumnBuilder
  flag(name: string): Knex.ColumnBuilder
  double(name: string): Knex.ColumnBuilder
  primary(columns: readonly string[]): void
  /**
   * Keeps the rows in the order of the primary key, where the database leaves the choice: a row is found and written in one
   * tree instead of two. For rows that are short and found by their key.
   */
  byPrimaryKey(): void
  unique(columns: readonly string[], options?: IndexOptions): void
  index(columns: readonly string[], options?: IndexOptions): void
}

export type IndexOptions = {
  /** For an index whose own name would be longer than the databases allow. */
  name?: string
  /** A column that is null in most rows, and never in those that are looked for: they are left out where that is possible. */
  without?: string
}

/** Tables by their names, each with what it consists of. */
export type Tables = Readonly<Record<string, (table: Table) => void>>

/** The statements that make tables, in this order. */
export function createTables(build: Knex, types: ColumnTypes, tables: Tables): Knex.Sql[] {
  return Object.entries(tables).flatMap(([name, describe]) => createTable(build, types, { name, describe }))
}

function createTable(build: Knex, types: ColumnTypes, table: { name: string; describe(table: Table): void }) {
  let order = ''
  const byPrimaryKey = () => {
    order = types.byPrimaryKey
  }
  const made = build.schema.createTable(table.name, (builder) => {
    if (types.collation !== null) builder.collate(types.collation)
    table.describe({ ...columnsOf(builder, types), ...keysOf(builder, build), byPrimaryKey })
  })
  const [create, ...indexes] = made.toSQL() as unknown as Knex.Sql[]
  return create ? [{ ...create, sql: create.sql + order }, ...indexes] : []
}

type Column = (name: string, length: number) => Knex.ColumnBuilder

function columnsOf(builder: Knex.CreateTableBuilder, types: ColumnTypes) {
  const text: Column = (name, length) => builder.specificType(name, types.text(length))
  const of = (type: string) => (name: string) => builder.specificType(name, type)
  return { text, longText: of(types.longText), int: of(types.int), flag: of(types.flag), double: of(types.double) }
}

function keysOf(builder: Knex.CreateTableBuilder, build: Knex) {
  const settings = ({ name, without }: IndexOptions = {}) => ({
    ...(name && { indexName: name }),
    // MySQL has no such indexes, and its compiler passes this over.
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
