import type { Knex } from 'knex'
import type { ColumnTypes } from '../dialect.ts'
import { createTables, extendTables } from './tables.ts'

/**
 * The requests of accounts whose plan limits them, by month, such as 202611; the credits that accounts have left, and the most requests
 * a minute with a token.
 */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return [
    ...createTables(build, types, {
      request_months(t) {
        t.text('account_id', 36).notNullable()
        t.int('month').notNullable()
        t.int('requests').notNullable()
        t.int('blocked').notNullable()
        t.primary(['account_id', 'month'])
        t.byPrimaryKey()
      },
    }),
    ...extendTables(build, types, {
      accounts: (t) => t.int('credits').notNullable().defaultTo(0),
      tokens: (t) => t.int('rate_limit'),
    }),
  ]
}
