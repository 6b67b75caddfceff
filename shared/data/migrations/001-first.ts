import type { Knex } from 'knex'
import type { ColumnTypes } from '../dialect.ts'
import { accountsTables } from './001-accounts.ts'
import { listsTables } from './001-lists.ts'
import { webhooksTables } from './001-webhooks.ts'
import { createTables } from './tables.ts'

/** The first schema. Times are epoch milliseconds, JSON and payloads are text, ids are text. */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return createTables(build, types, { ...accountsTables, ...listsTables, ...webhooksTables })
}
