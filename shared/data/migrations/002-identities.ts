import type { Knex } from 'knex'

/**
 * Identities, their groups and their sessions, and who owns an item. The ungrouped space is the group '': no group has
 * that id, and so no unique key of names holds a null. Keys are normal, caseless forms made by the code.
 */
export function up(build: Knex): Knex.SchemaBuilder {
  return build.schema
    .createTable('identity_groups', (t) => {
      t.string('id', 36).primary()
      t.string('account_id', 36).notNullable()
      t.bigint('created_at').notNullable()
      t.bigint('updated_at').notNullable()
      t.string('name', 100).notNullable()
      t.integer('session_lifetime_seconds').notNullable()
      t.integer('session_idle_seconds')
      t.boolean('require_email').notNullable()
      t.boolean('require_verified_email').notNullable()
      t.integer('min_password_length').notNullable()
      t.unique(['account_id', 'name'])
    })
    .createTable('identities', (t) => {
      t.string('id', 36).primary()
      t.string('account_id', 36).notNullable()
      t.string('group_id', 36).notNullable()
      t.bigint('created_at').notNullable()
      t.bigint('updated_at').notNullable()
      t.string('name', 100).notNullable()
      t.string('name_key', 300).notNullable()
      t.string('display_name', 200).notNullable()
      t.string('email', 320)
      // Null: no address. The databases let any number of them stand beside each other.
      t.string('email_key', 320)
      t.boolean('email_verified').notNullable()
      // Null: nobody can sign in with a password.
      t.string('password_hash', 255)
      t.text('tags').notNullable()
      t.bigint('last_login_at')
      t.boolean('activated').notNullable()
      t.unique(['account_id', 'group_id', 'name_key'])
      t.unique(['account_id', 'group_id', 'email_key'])
      t.index(['account_id', 'created_at', 'id'])
    })
    .alterTable('sessions', (t) => {
      t.bigint('last_used_at')
    })
    .alterTable('items', (t) => {
      t.string('identity_id', 36)
      t.index(['identity_id', 'list_id', 'created_at', 'id'])
    })
}
