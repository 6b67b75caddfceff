import type { Knex } from 'knex'
import type { ColumnTypes } from '../engine/dialect.ts'

/** A table that is made: columns in the types of the database, null unless they say otherwise, and its keys. */
export type Table = {
  text(name: string, length: number): Knex.ColumnBuilder
  longText(name: string): Knex.ColumnBuilder
  int(name: string): Knex.ColumnBuilder
  flag(name: string): Knex.ColumnBuilder
  double(name: string): Knex.ColumnBuilder
  primary(columns: readonly string[]): void
  unique(columns: readonly string[]): void
  /** @param name for an index whose own name would be longer than the databases allow */
  index(columns: readonly string[], name?: string): void
}

/** Tables by their names, each with what it consists of. */
export type Tables = Readonly<Record<string, (table: Table) => void>>

/** The statements that make tables, in this order. */
export function createTables(build: Knex, types: ColumnTypes, tables: Tables): Knex.SchemaBuilder {
  return Object.entries(tables).reduce(
    (schema, [name, describe]) => schema.createTable(name, (builder) => describe(tableOf(builder, types))),
    build.schema,
  )
}

function tableOf(builder: Knex.CreateTableBuilder, types: ColumnTypes): Table {
  if (types.collation !== null) builder.collate(types.collation)
  return {
    text: (name, length) => builder.specificType(name, types.text(length)),
    longText: (name) => builder.specificType(name, types.longText),
    int: (name) => builder.specificType(name, types.int),
    flag: (name) => builder.specificType(name, types.flag),
    double: (name) => builder.specificType(name, types.double),
    primary: (columns) => void builder.primary([...columns]),
    unique: (columns) => void builder.unique([...columns]),
    index: (columns, name) => void builder.index([...columns], name),
  }
}
