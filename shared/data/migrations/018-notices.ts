import type { Knex } from 'knex'
import type { ColumnTypes } from '../dialect.ts'
import { createTables } from './tables.ts'

/** Notices to operators that are still to be sent: exact bodies, and when each is sent next. */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return createTables(build, types, {
    notices(t) {
      t.text('id', 36).primary()
      t.text('webhook_id', 36).notNullable()
      t.int('created_at').notNullable()
      t.longText('body').notNullable()
      t.int('attempts').notNullable().defaultTo(0)
      t.int('due_at').notNullable().index()
    },
  })
}
