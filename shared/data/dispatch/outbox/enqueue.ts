import type { ColumnValue, Sql } from '../../dialect.ts'
import type { Step } from '../../drivers/apply-writes.ts'
import { rowMapper } from '../../sql/insert-rows.ts'
import { raw, sql } from '../../sql/sql.ts'
import { databaseClock, forShare, inList } from '../../sql/statements.ts'
import { payloadRows } from './payloads.ts'

/** An event that is committed, for the webhooks of its account. */
export type NewOutboxEvent = {
  eventId: string
  accountId: string
  requestId: string
  /** The exact text that webhooks are sent. */
  payload: string
  /** The webhooks that receive it; null: those that listen to it. */
  webhookIds: readonly string[] | null
}

/** Writes payloads and outbox rows, for the accounts that have a listener; the others need neither. */
export function enqueued(events: readonly NewOutboxEvent[]): Step {
  const accountIds = [...new Set(events.map(({ accountId }) => accountId))]
  return {
    insertFound: {
      key: 'account_id',
      keys: accountIds,
      columns: { account_id: raw('account.id'), epoch: raw('account.listener_epoch'), now: databaseClock },
      source: accountsWithListener(accountIds),
      rows(accountOf) {
        const rows = events.flatMap((event) => {
          const account = accountOf(event.accountId)
          return account ? [{ event, epoch: account.epoch ?? null, now: account.now ?? null }] : []
        })
        return [
          events.some(({ webhookIds }) => webhookIds) ? emittedRows(rows) : outboxRows(rows),
          payloadRows(rows.map(({ event }) => ({ eventId: event.eventId, body: event.payload }))),
        ]
      },
    },
  }
}

type Value = ColumnValue | Sql

type OutboxSource = { event: NewOutboxEvent; epoch: Value; now: Value }

const columns = {
  event_id: ({ event }: OutboxSource) => event.eventId,
  account_id: ({ event }: OutboxSource) => event.accountId,
  request_id: ({ event }: OutboxSource) => event.requestId,
  listener_epoch: ({ epoch }: OutboxSource) => epoch,
  created_at: ({ now }: OutboxSource) => now,
}

const outboxRows = rowMapper<OutboxSource, string, Value>('outbox', columns)

/** Separate, so that the additional column is written only where a flow emits. */
const emittedRows = rowMapper<OutboxSource, string, Value>('outbox', {
  ...columns,
  webhook_ids: ({ event }) => event.webhookIds && JSON.stringify(event.webhookIds),
})

/**
 * The end of a select of those among the accounts that have a listener, which is an active webhook. It locks them until the commit, so
 * that a listener becomes active either before this commit or after it. A statement that waits for a lock still sees the webhooks as
 * they were before it waited; the epoch of the locked row shows whether one became active meanwhile.
 */
function accountsWithListener(accountIds: readonly string[]): Sql {
  const [only, ...others] = accountIds
  const chosen = others.length === 0 ? sql`id = ${only}` : sql`${inList('id', accountIds)} order by id`
  // With a limit, MySQL does not merge the two selects. Otherwise it would release the locks of accounts without a listener.
  const locked = sql`select id, listener_epoch from accounts where ${chosen} limit ${accountIds.length} ${forShare}`
  return sql`from (${locked}) as account
    where exists (select 1 from webhooks where webhooks.account_id = account.id and webhooks.activated = 1)
      or account.listener_epoch <> (select seen.listener_epoch from accounts as seen where seen.id = account.id)`
}
