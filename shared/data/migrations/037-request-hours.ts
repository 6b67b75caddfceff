import type { Knex } from 'knex'
import type { ColumnTypes } from '../dialect.ts'
import { createTables } from './tables.ts'

/** The requests of accounts by hour, in epoch milliseconds; those of the last two days are kept. */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return createTables(build, types, {
    request_hours(t) {
      t.text('account_id', 36).notNullable()
      t.int('hour').notNullable()
      t.int('requests').notNullable()
      t.primary(['account_id', 'hour'])
      t.byPrimaryKey()
    },
  })
}
