import type { Knex } from 'knex'
import type { ColumnTypes } from '../dialect.ts'
import { createTables, extendTables } from './tables.ts'

/**
 * Flows with the versions of their documents, and their runs. A flow is found by its name and by the hash of its method and path. The
 * events that a run emits name the webhooks that get them in their outbox row.
 */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return [
    ...createTables(build, types, {
      flows(t) {
        t.text('id', 36).primary()
        t.text('account_id', 36).notNullable()
        t.int('created_at').notNullable()
        t.int('updated_at').notNullable()
        t.text('name', 200).notNullable()
        t.text('name_key', 600).notNullable()
        t.longText('description').notNullable()
        t.longText('entry').notNullable()
        t.text('endpoint_hash', 64)
        t.flag('public').notNullable()
        t.flag('activated').notNullable()
        t.text('logged', 10).notNullable()
        t.longText('lists').notNullable()
        t.longText('document').notNullable()
        t.longText('tests')
        t.int('version').notNullable()
        t.unique(['account_id', 'name_key'])
        t.unique(['account_id', 'endpoint_hash'])
      },
      flow_versions(t) {
        t.text('flow_id', 36).notNullable()
        t.int('version').notNullable()
        t.int('created_at').notNullable()
        t.longText('document').notNullable()
        t.longText('tests')
        t.primary(['flow_id', 'version'])
      },
      flow_runs(t) {
        t.text('id', 36).primary()
        t.text('account_id', 36).notNullable()
        t.text('flow_id', 36).notNullable()
        t.int('flow_version').notNullable()
        t.text('status', 10).notNullable()
        t.text('trigger_type', 10).notNullable()
        t.text('request_id', 100).notNullable()
        t.int('created_at').notNullable()
        t.int('duration_ms').notNullable()
        t.int('attempts').notNullable()
        t.int('fuel').notNullable()
        t.text('seed', 32).notNullable()
        t.longText('input')
        t.longText('report').notNullable()
        t.index(['account_id', 'id'])
        t.index(['account_id', 'status', 'id'])
        t.index(['flow_id', 'id'])
        t.index(['flow_id', 'status', 'id'])
      },
      flow_purges(t) {
        t.text('flow_id', 36).primary()
        t.int('deleted_at').notNullable()
      },
    }),
    ...extendTables(build, types, { outbox: (t) => t.longText('webhook_ids') }),
  ]
}
