import type { Knex } from 'knex'
import type { ColumnTypes } from '../dialect.ts'
import { extendTables } from './tables.ts'

/** Who started a run, as JSON text, and the code of the error of one that failed; both are null where a run is of before. */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return extendTables(build, types, {
    flow_runs(t) {
      t.text('actor', 300)
      t.text('error_code', 100)
    },
  })
}
