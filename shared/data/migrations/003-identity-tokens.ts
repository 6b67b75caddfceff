import type { Knex } from 'knex'
import type { ColumnTypes } from '../dialect.ts'
import { createTables, type Tables } from './tables.ts'

/** The tokens that reset an identity's password or verify its email address. */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return createTables(build, types, tables)
}

const tables: Tables = {
  // An identity has one token of each kind: a new one takes the place of the old. Only their hashes are stored.
  identity_one_time_tokens(t) {
    t.text('identity_id', 36).notNullable()
    t.text('kind', 10).notNullable()
    t.text('account_id', 36).notNullable()
    t.text('token_hash', 64).notNullable().unique()
    t.int('created_at').notNullable()
    t.int('expires_at').notNullable().index()
    t.primary(['identity_id', 'kind'])
    t.byPrimaryKey()
  },
}
