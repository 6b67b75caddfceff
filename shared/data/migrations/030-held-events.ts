import type { Knex } from 'knex'
import type { ColumnTypes } from '../dialect.ts'
import { createTables } from './tables.ts'

/**
 * What is held for webhooks past the bound of their waiting deliveries. A webhook that is behind has a row in `held_backlogs`, which
 * stays behind it when it is deleted, until its held events are gone. A payload is kept once for all webhooks that hold the event.
 */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return createTables(build, types, {
    held_backlogs(t) {
      t.text('webhook_id', 36).primary()
      t.text('account_id', 36).notNullable()
      t.int('first_position').notNullable()
      t.int('next_position').notNullable()
      t.flag('missing').notNullable()
      t.byPrimaryKey()
    },
    held_events(t) {
      t.text('webhook_id', 36).notNullable()
      t.int('position').notNullable()
      t.text('event_id', 36).notNullable()
      t.text('event', 20).notNullable()
      t.text('list_id', 36)
      t.text('item_id', 36)
      t.text('request_id', 100).notNullable()
      t.int('held_at').notNullable()
      t.primary(['webhook_id', 'position'])
      t.byPrimaryKey()
    },
    held_payloads(t) {
      t.text('event_id', 36).primary()
      t.int('holders').notNullable()
      t.longText('body').notNullable()
    },
  })
}
