import type { Tables } from './tables.ts'

/**
 * The tables between a commit and a delivery. The dispatcher is driven by `due_at` of the webhooks' queue rows alone: for a
 * free queue the time of its next delivery, for a leased one the end of the lease, `DUE_NEVER` (limits.ts) when nothing is
 * to be sent.
 *
 * Settled deliveries have no `next_attempt_at`, so the first index of deliveries has those of one status in the order of
 * their ids, which is the order of creation; with `event` as its last column, a filter on events is an index scan. The page
 * of all deliveries merges the three statuses. With 1,000,000 deliveries of one webhook on SQLite, a page takes 0.7 ms, page
 * 500 of 20 takes 1.5 ms, and finding the only delivery of an event type 75 ms.
 */
export const webhooksTables: Tables = {
  event_payloads(t) {
    t.text('event_id', 36).primary()
    t.longText('body').notNullable()
  },
  outbox(t) {
    t.text('event_id', 36).primary()
    t.text('account_id', 36).notNullable()
    t.text('request_id', 100).notNullable()
    t.int('webhook_epoch').notNullable()
    t.int('created_at').notNullable().index()
    t.byPrimaryKey()
  },
  webhooks(t) {
    t.text('id', 36).primary()
    t.text('account_id', 36).notNullable()
    t.int('created_at').notNullable()
    t.int('updated_at').notNullable()
    t.longText('url').notNullable()
    t.longText('events').notNullable()
    t.longText('description').notNullable()
    t.longText('list_ids').notNullable()
    t.flag('activated').notNullable()
    t.int('active_epoch').notNullable()
    t.longText('secret').notNullable()
    t.longText('previous_secret')
    t.int('previous_secret_until')
    t.int('disabled_at')
    t.text('disabled_reason', 200)
    t.index(['account_id', 'activated'])
  },
  webhook_queues(t) {
    t.text('webhook_id', 36).primary()
    t.int('due_at').notNullable()
    t.int('lane').notNullable().defaultTo(0)
    t.int('waiting').notNullable().defaultTo(0)
    // Waiting pings; `waiting` does not count them.
    t.int('pinging').notNullable().defaultTo(0)
    t.int('missed').notNullable().defaultTo(0)
    t.flag('backlog_full').notNullable().defaultTo(0)
    t.text('lease_owner', 64)
    t.int('lease_until')
    t.int('fence').notNullable().defaultTo(0)
    // The delivery whose attempt the holder has begun and not settled; a dead holder leaves it open.
    t.text('attempt_delivery_id', 36)
    t.int('consecutive_failures').notNullable().defaultTo(0)
    t.int('succeeded').notNullable().defaultTo(0)
    t.int('failed').notNullable().defaultTo(0)
    t.int('last_delivery_at')
    t.byPrimaryKey()
    t.index(['lane', 'due_at'])
  },
  deliveries(t) {
    t.text('id', 36).primary()
    t.text('account_id', 36).notNullable()
    t.text('webhook_id', 36).notNullable()
    t.text('event_id', 36).notNullable()
    t.text('event', 20).notNullable()
    t.text('list_id', 36)
    t.text('item_id', 36)
    t.text('request_id', 100).notNullable()
    t.int('created_at').notNullable()
    t.int('updated_at').notNullable()
    t.text('status', 10).notNullable()
    // All attempts that have ended, and those of the current series of eight; a redelivery starts a new series.
    t.int('attempts').notNullable().defaultTo(0)
    t.int('series_attempts').notNullable().defaultTo(0)
    t.int('next_attempt_at')
    t.int('last_attempt_at')
    // For a ping: when its client stops waiting.
    t.int('expires_at')
    t.int('completed_at')
    t.int('response_status')
    t.longText('response_body')
    t.int('response_duration_ms')
    t.text('error', 30)
    t.unique(['webhook_id', 'event_id'])
    t.index(['webhook_id', 'status', 'next_attempt_at', 'id', 'event'])
    t.index(['webhook_id', 'item_id', 'id'])
    t.index(['completed_at'])
  },
  delivery_attempts(t) {
    t.text('delivery_id', 36).notNullable()
    t.int('number').notNullable()
    t.int('started_at').notNullable()
    t.int('duration_ms')
    t.int('status')
    t.text('error', 30)
    t.primary(['delivery_id', 'number'])
    t.byPrimaryKey()
  },
  leases(t) {
    t.text('name', 100).primary()
    t.text('owner', 64)
    t.int('lease_until').notNullable()
    t.int('fence').notNullable()
  },
}
