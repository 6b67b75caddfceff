import type { Knex } from 'knex'
import type { ColumnTypes } from '../dialect.ts'
import { extendTables } from './tables.ts'

/**
 * The bound on a webhook's requests, in the queue row, which dispatchers read anyway; and its fixed headers, sealed, with the JSON of
 * their names next to them; its filters on index values, as JSON by the ids of lists. Null: none.
 */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return extendTables(build, types, {
    webhook_queues: (t) => t.int('max_requests_per_second'),
    webhooks(t) {
      t.longText('headers')
      t.text('header_names', 1_000).notNullable().defaultTo('[]')
      t.longText('filters')
    },
  })
}
