import type { Knex } from 'knex'
import type { ColumnTypes } from '../dialect.ts'
import { extendTables } from './tables.ts'

/** What the dashboard keeps for a user, as the text of a JSON object; null: nothing yet. */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return extendTables(build, types, { users: (t) => t.longText('preferences') })
}
