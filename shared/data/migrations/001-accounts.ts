import type { Tables } from './tables.ts'

/**
 * Accounts, the users who sign in to them, and the identities of the accounts' own products. Keys of names are case-folded by
 * our code. The ungrouped space is the group '', an id that no group has, so the unique key of names holds no null. The one
 * of email addresses does: a unique key may hold any number of nulls.
 */
export const accountsTables: Tables = {
  accounts(t) {
    t.text('id', 36).primary()
    t.int('created_at').notNullable()
    t.int('updated_at').notNullable()
    t.text('name', 200).notNullable()
    t.text('plan', 20).notNullable()
    // Incremented when a webhook is activated: an event goes to the webhooks that were active when it was committed.
    t.int('webhook_epoch').notNullable().defaultTo(0)
  },
  users(t) {
    t.text('id', 36).primary()
    t.text('account_id', 36).notNullable()
    t.int('created_at').notNullable()
    t.int('updated_at').notNullable()
    t.text('email', 320).notNullable()
    t.text('email_key', 320).notNullable().unique()
    t.text('password_hash', 255).notNullable()
    t.int('last_login_at')
  },
  sessions(t) {
    t.text('id', 36).primary()
    t.text('account_id', 36).notNullable()
    t.text('kind', 10).notNullable()
    t.text('subject_id', 36).notNullable().index()
    t.text('token_hash', 64).notNullable().unique()
    t.int('created_at').notNullable()
    t.int('expires_at').notNullable().index()
    // Null for sessions of users, which do not end by idleness.
    t.int('last_used_at')
  },
  identity_groups(t) {
    t.text('id', 36).primary()
    t.text('account_id', 36).notNullable()
    t.int('created_at').notNullable()
    t.int('updated_at').notNullable()
    t.text('name', 100).notNullable()
    t.int('session_lifetime_seconds').notNullable()
    t.int('session_idle_seconds')
    t.flag('require_email').notNullable()
    t.flag('require_verified_email').notNullable()
    t.int('min_password_length').notNullable()
    t.unique(['account_id', 'name'])
  },
  identities(t) {
    t.text('id', 36).primary()
    t.text('account_id', 36).notNullable()
    t.text('group_id', 36).notNullable()
    t.int('created_at').notNullable()
    t.int('updated_at').notNullable()
    t.text('name', 100).notNullable()
    t.text('name_key', 300).notNullable()
    t.text('display_name', 200).notNullable()
    t.text('email', 320)
    t.text('email_key', 320)
    t.flag('email_verified').notNullable()
    // Null: the identity cannot sign in with a password.
    t.text('password_hash', 255)
    t.longText('tags').notNullable()
    t.int('last_login_at')
    t.flag('activated').notNullable()
    t.unique(['account_id', 'group_id', 'name_key'])
    t.unique(['account_id', 'group_id', 'email_key'])
    t.index(['account_id', 'created_at', 'id'])
  },
  // Valid for one use of this `kind`; only their hashes are stored.
  one_time_tokens(t) {
    t.text('token_hash', 64).primary()
    t.text('kind', 10).notNullable().index()
    t.int('created_at').notNullable()
    t.int('expires_at').notNullable()
    t.int('used_at')
  },
  login_attempts(t) {
    t.text('login_key', 64).primary()
    t.int('failures').notNullable()
    t.int('blocked_until').notNullable()
    t.int('forget_at').notNullable().index()
  },
  tokens(t) {
    t.text('id', 36).primary()
    t.text('account_id', 36).notNullable().index()
    t.int('created_at').notNullable()
    t.int('updated_at').notNullable()
    t.text('name', 200).notNullable()
    t.longText('description').notNullable()
    t.longText('tags').notNullable()
    t.longText('permissions').notNullable()
    t.longText('ips')
    t.int('expires_at')
    t.flag('activated').notNullable()
    t.flag('locked').notNullable()
    t.int('last_used_at')
    t.text('token_hash', 64).notNullable().unique()
  },
}
