import type { Knex } from 'knex'

/** Tokens that are good for one use, known by their hash only; `kind` says for what. */
export function up(build: Knex): Knex.SchemaBuilder {
  return build.schema.createTable('one_time_tokens', (t) => {
    t.string('token_hash', 64).primary()
    t.string('kind', 10).notNullable().index()
    t.bigint('created_at').notNullable()
    t.bigint('expires_at').notNullable()
    t.bigint('used_at')
  })
}
