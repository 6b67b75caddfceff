import type { Knex } from 'knex'
import type { ColumnTypes } from '../dialect.ts'
import { createTables } from './tables.ts'

/**
 * The numbers of entries of the event log, in several rows for each account and type, which are added up when they are read. Older
 * code goes on counting in `event_counts`, whose numbers are added too.
 */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return createTables(build, types, {
    event_count_shards(t) {
      t.text('account_id', 36).notNullable()
      t.text('type', 40).notNullable()
      t.int('shard').notNullable()
      t.int('entries').notNullable()
      t.primary(['account_id', 'type', 'shard'])
      t.byPrimaryKey()
    },
  })
}
