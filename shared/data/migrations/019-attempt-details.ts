import type { Knex } from 'knex'
import type { ColumnTypes } from '../dialect.ts'
import { extendTables } from './tables.ts'

/** Phases and response headers of an attempt that failed or was slow, and of a ping, as JSON; null: none were kept. */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return extendTables(build, types, { delivery_attempts: (t) => t.longText('details') })
}
