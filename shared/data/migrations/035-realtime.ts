import type { Knex } from 'knex'
import type { ColumnTypes } from '../dialect.ts'
import { createTables } from './tables.ts'

/**
 * The order of commits that streams follow. An account has a row in `account_commits` from its first change of a realtime list on;
 * each commit that changes one takes the next number, and `realtime_events` says which events it has. `event_id` in the row of the
 * account is the last event of its last commit.
 */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return createTables(build, types, {
    account_commits(t) {
      t.text('account_id', 36).primary()
      t.int('number').notNullable()
      t.text('event_id', 36).notNullable()
      t.byPrimaryKey()
    },
    realtime_events(t) {
      t.text('account_id', 36).notNullable()
      t.int('number').notNullable()
      t.int('position').notNullable()
      t.text('event_id', 36).notNullable()
      t.int('created_at').notNullable()
      t.primary(['account_id', 'number', 'position'])
      t.unique(['event_id'])
      t.index(['created_at'])
    },
  })
}
