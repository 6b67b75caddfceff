import type { Queries, Write } from '../database.ts'
import type { Sql, ValuesColumns } from '../dialect.ts'
import { raw, sql } from '../sql/sql.ts'
import { databaseClock, deleteInList, inList, updateFrom, valuesTable } from '../sql/statements.ts'
import { logLastAttempts } from './attempt-log.ts'
import type { Holder } from './claims.ts'
import type { Listeners } from './listeners.ts'
import type { NextDelivery } from './next-deliveries.ts'
import { eventColumns, matchingAny, type NewDelivery, type OutboxRow, type TakenEvents, toLocked } from './outbox.ts'
import {
  columnsOfQueue,
  type LockedQueue,
  type QueueChange,
  type QueueRow,
  toQueue,
  updateUnchanged,
} from './queue-state.ts'
import { attemptColumns, retriedIds, type Settlement } from './settlements.ts'

// A cycle without a transaction: what it relies on is read before, and one statement writes everything and proves that no queue
// has changed since. Its order of locks is the transaction's: outbox rows, then queues in the order of their ids.
// What is read of deliveries and webhooks needs no proof of its own: whatever adds, removes or requeues deliveries, and the
// deactivation of a webhook, changes the queue. The rest of a webhook's settings is as if the claim had come before their change.

/** Events that were read without locking them, with their payloads by event. */
export type ReadEvents = TakenEvents & { bodies: ReadonlyMap<string, string> }

/** Reads waiting events with their payloads; null when one of them does not wait any more. */
export async function readEvents(
  db: Queries,
  eventIds: readonly string[],
  { listeners }: { listeners: Listeners },
): Promise<ReadEvents | null> {
  const rows = await db.all<OutboxRow & { body: string }>(
    sql`select ${eventColumns}, p.body from outbox o join events e on e.id = o.event_id
      join accounts a on a.id = o.account_id join event_payloads p on p.event_id = o.event_id
      where ${inList('o.event_id', eventIds)}`,
  )
  if (rows.length !== eventIds.length) return null
  const { events, epochs } = toLocked(rows)
  const matching = matchingAny(events, await listeners.read(db, epochs))
  return { events, listeners: matching, more: false, bodies: new Map(rows.map((row) => [row.event_id, row.body])) }
}

/** Queues as they were read, not locked, with the settings of their webhooks and the first delivery that is due. */
export type SeenQueues = {
  queues: LockedQueue[]
  /** What is needed to send something to each webhook that is active. */
  targets: Target[]
  next: NextDelivery[]
  /** The database's time; null when nothing was read. */
  now: number | null
}

/** The columns of a webhook that a claim needs. */
export type Target = Pick<
  NextDelivery,
  'webhook_id' | 'account_id' | 'activated' | 'url' | 'secret' | 'previous_secret' | 'previous_secret_until'
>

type SeenRow = QueueRow & Target & { now: number } & (Omit<NextDelivery, keyof Target> | { id: null })

/**
 * Reads queues of webhooks, and of each that is active the delivery that is due first, apart from the one that is being sent. The
 * clock is read once, in a part of its own: compared with itself, Postgres would read all deliveries that wait for a retry.
 */
export async function readSeen(db: Queries, webhookIds: readonly string[]): Promise<SeenQueues> {
  if (webhookIds.length === 0) return { queues: [], targets: [], next: [], now: null }
  const rows = await db.all<SeenRow>(
    sql`select ${columnsOfQueue}, case when w.activated = 1 then w.active_epoch end as active_epoch,
       w.account_id, w.activated, w.url, w.secret, w.previous_secret, w.previous_secret_until, (select ${databaseClock}) as now,
       d.id, d.event_id, d.event, d.request_id, d.attempts, d.series_attempts, d.expires_at, p.body
     from webhook_queues q join webhooks w on w.id = q.webhook_id
     left join deliveries d on d.id = (select n.id from deliveries n
       where n.webhook_id = w.id and n.status = 'pending' and n.next_attempt_at <= (select ${databaseClock}) and w.activated = 1
         and n.id <> coalesce(q.attempt_delivery_id, '')
       order by n.webhook_id, n.status, n.next_attempt_at, n.id limit 1)
     left join event_payloads p on p.event_id = d.event_id
     where ${inList('q.webhook_id', webhookIds)}`,
  )
  return {
    queues: rows.map(toQueue),
    targets: rows.filter(({ active_epoch }) => active_epoch !== null),
    next: rows.filter((row): row is SeenRow & NextDelivery => row.id !== null),
    now: rows[0]?.now ?? null,
  }
}

/** What a cycle writes. Every outcome is a success, and of none of its webhooks that are free then a delivery waits. */
export type TogetherWork = {
  taken: { eventIds: readonly string[]; unmatched: readonly string[]; deliveries: readonly NewDelivery[] }
  settlements: readonly Settlement[]
  queues: readonly { change: QueueChange; seen: LockedQueue }[]
}

/** The writes of a cycle in their order; few sequences of texts, however much they write. */
export function writesTogether(work: TogetherWork, { now, ...holder }: Holder & { now: number }): Write[] {
  const { taken, settlements, queues } = work
  const { eventIds, unmatched, deliveries } = taken
  const retried = retriedIds(settlements)
  return [
    ...when(eventIds, () => ({ statement: deleteInList('outbox', 'event_id', eventIds), rows: eventIds.length })),
    ...when(queues, () => ({ statement: updateUnchanged(queues, { ...holder, now }), rows: queues.length })),
    ...when(unmatched, () => ({ statement: deleteInList('event_payloads', 'event_id', unmatched) })),
    ...when(retried, () => ({ statement: logLastAttempts(retried) })),
    ...when(settlements, () => ({ statement: updateSucceeded(settlements) })),
    ...when(deliveries, () => ({ statement: insertDeliveries(deliveries, now) })),
  ]
}

function when(rows: readonly unknown[], write: () => Write): Write[] {
  return rows.length > 0 ? [write()] : []
}

function updateSucceeded(settlements: readonly Settlement[]): Sql {
  const rows = settlements.map(({ claim, outcome }) => {
    const { deliveryId, number, seriesAttempts, startedAt } = claim
    return [deliveryId, number, seriesAttempts, startedAt, outcome.status, outcome.body, outcome.durationMs]
  })
  return updateFrom({
    table: 'deliveries',
    set: {
      ...attemptColumns,
      status: sql`'succeeded'`,
      next_attempt_at: sql`null`,
      completed_at: databaseClock,
      error: sql`null`,
      updated_at: databaseClock,
    },
    from: valuesTable(
      { id: 'text', number: 'int', series: 'int', started_at: 'int', response: 'int', body: 'longText', ms: 'int' },
      rows,
    ),
    where: sql`deliveries.id = input.id`,
  })
}

function insertDeliveries(deliveries: readonly NewDelivery[], now: number): Sql {
  const rows = deliveries.map(({ id, createdAt, webhookId, event }) => [
    id,
    event.accountId,
    webhookId,
    event.eventId,
    event.type,
    event.listId,
    event.itemId,
    event.requestId,
    createdAt,
    createdAt,
    now,
  ])
  const columns = raw(Object.keys(deliveryColumns).join(', '))
  return sql`insert into deliveries (${columns}, status)
    select ${columns}, 'pending' from ${valuesTable(deliveryColumns, rows)}`
}

const deliveryColumns: ValuesColumns = {
  id: 'text',
  account_id: 'text',
  webhook_id: 'text',
  event_id: 'text',
  event: 'text',
  list_id: 'text',
  item_id: 'text',
  request_id: 'text',
  created_at: 'int',
  updated_at: 'int',
  next_attempt_at: 'int',
}
