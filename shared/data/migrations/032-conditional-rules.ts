import type { Knex } from 'knex'
import type { ColumnTypes } from '../dialect.ts'
import { extendTables } from './tables.ts'

/**
 * The rules of a token where some have conditions, with the indexes that those name, as JSON text; null: none has. Apart from the others,
 * because processes of 0.2 ignore conditions.
 */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return extendTables(build, types, { tokens: (t) => t.longText('conditional_rules') })
}
