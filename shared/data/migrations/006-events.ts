import type { Knex } from 'knex'

/**
 * The event log as it is read. `event_counts` holds, per account and type, how many entries there are, and how far
 * retention has looked through them. A page of an account's log merges one range of the first index per type, so a filter
 * on types never looks through the rest, and no index is needed for the log as a whole.
 */
export function up(build: Knex): Knex.SchemaBuilder {
  return build.schema
    .createTable('event_counts', (t) => {
      t.string('account_id', 36).notNullable()
      t.string('type', 40).notNullable()
      t.bigint('entries').notNullable()
      t.bigint('judged_at').notNullable().defaultTo(0)
      t.string('judged_id', 36).notNullable().defaultTo('')
      t.primary(['account_id', 'type'])
    })
    .alterTable('events', (t) => {
      // Of items: 1 for the first event, one more for each later one, whatever retention has deleted.
      t.bigint('revision')
      t.dropIndex(['account_id', 'created_at', 'id'])
      t.dropIndex(['model_id', 'created_at', 'id'])
      t.index(['account_id', 'type', 'created_at', 'id'])
      t.index(['model_id', 'created_at', 'id', 'type'])
    })
    .raw(
      'insert into event_counts (account_id, type, entries) select account_id, type, count(*) from events group by 1, 2',
    )
    .raw(
      `update events set revision = (select count(*) from events e where e.model_id = events.model_id
         and (e.created_at, e.id) <= (events.created_at, events.id)) where stream = 'item'`,
    )
}
