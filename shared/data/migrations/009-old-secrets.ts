import type { Knex } from 'knex'
import type { ColumnTypes } from '../dialect.ts'
import { extendTables } from './tables.ts'

/** Replaced signing secrets are found by when they end. Without an index of its own the job that wipes them would read every webhook. */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return extendTables(build, types, {
    webhooks: (t) => t.index(['previous_secret_until'], { without: 'previous_secret_until' }),
  })
}
