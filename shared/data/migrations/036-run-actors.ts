import type { Knex } from 'knex'
import type { ColumnTypes } from '../dialect.ts'
import { extendTables } from './tables.ts'

/** Who started a run: JSON text, null where a run is of before. */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return extendTables(build, types, { flow_runs: (t) => t.text('actor', 300) })
}
