import type { Knex } from 'knex'
import type { ColumnTypes } from '../dialect.ts'
import { extendTables } from './tables.ts'

/** The time at which a command disabled a user; null: the user may sign in. */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return extendTables(build, types, { users: (t) => t.int('disabled_at') })
}
