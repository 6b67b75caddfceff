import type { Knex } from 'knex'

// The epoch of an account's webhooks is that of all its listeners. Older code reads the column by its former name: its
// statements fail from the rename on, which leaves nothing half done, and it ends when it sees the new version.

export function renameInAccounts(build: Knex): Knex.Sql[] {
  return [build.raw('alter table accounts rename column webhook_epoch to listener_epoch').toSQL()]
}

/** A step of its own, so that no transaction of a service waits for one table while it holds the other. */
export function renameInOutbox(build: Knex): Knex.Sql[] {
  return [build.raw('alter table outbox rename column webhook_epoch to listener_epoch').toSQL()]
}
