import type { Knex } from 'knex'
import type { ColumnTypes } from '../dialect.ts'
import { createTables } from './tables.ts'

/** What requests with an idempotency key have done, for a day (contract 2.2). */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return createTables(build, types, {
    idempotency_keys(t) {
      // A hash of the key and of who sent it.
      t.text('key_hash', 64).primary()
      t.text('list_id', 36).notNullable()
      t.text('request_hash', 64).notNullable()
      t.int('expires_at').notNullable().index()
      // The events of the changes, which have their items and revisions; a JSON array.
      t.longText('event_ids').notNullable()
    },
  })
}
