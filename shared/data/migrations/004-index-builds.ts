import type { Knex } from 'knex'
import type { ColumnTypes } from '../dialect.ts'
import { createTables, extendTables, type Tables } from './tables.ts'

const tables: Tables = {
  // Indexes whose values of stored items are being computed, each with how far that is.
  index_builds(t) {
    t.text('values_id', 36).primary()
    t.text('index_id', 36).notNullable()
    t.text('list_id', 36).notNullable().index()
    // Grows with every batch and with every change of the index: who writes a batch proves it.
    t.int('step').notNullable()
    // Where the next batch begins: the range of items, and the last item of the batch before.
    t.int('item_range').notNullable()
    t.int('last_created_at').notNullable()
    t.text('last_id', 36).notNullable()
    t.int('done').notNullable()
    t.int('total').notNullable()
  },
  // Values that no index has any more, still to be deleted.
  index_value_purges(t) {
    t.text('values_id', 36).primary()
  },
}

/** The values of an index get an id of their own, which is another after each build (docs/design/index-builds.md). */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  const extended = extendTables(build, types, {
    indexes(t) {
      t.text('values_id', 36).notNullable().defaultTo('')
    },
  })
  return [...extended, build.raw('update indexes set values_id = id').toSQL(), ...createTables(build, types, tables)]
}
