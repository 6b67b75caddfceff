import { DUE_FIRST } from '#shared/domain/limits.ts'
import type { AttemptDetails } from '#shared/domain/webhook/deliveries/attempt-details.ts'
import type { Delivery, LoggedAttempt } from '#shared/domain/webhook/deliveries/delivery.ts'
import { toNumber, toNumberOrNull, toText, toTextOrNull } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import { raw, sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
import type { WebhookKey } from '../webhooks/webhooks.ts'

/** A delivery, with the webhook and account that it must belong to. */
export type DeliveryKey = WebhookKey & { deliveryId: string }

/** Deliveries in the order of the ids, without those deleted in the meantime. */
export async function readDeliveries(db: Queries, ids: readonly string[]): Promise<Delivery[]> {
  if (ids.length === 0) return []
  const rows = await db.all(sql`select ${columns} from ${deliveriesWithOpen} where ${inList('d.id', ids)}`)
  const found = new Map(rows.map((row) => [row.id, deliveryFromRow(row)]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

export async function findDelivery(
  db: Queries,
  { accountId, webhookId, deliveryId }: DeliveryKey,
): Promise<Delivery | null> {
  const row = await db.get(
    sql`select ${columns} from ${deliveriesWithOpen}
      where d.id = ${deliveryId} and d.webhook_id = ${webhookId} and account_id = ${accountId}`,
  )
  return row ? deliveryFromRow(row) : null
}

/** A delivery's payload, as it is sent, and all its attempts so far; null: the payload was deleted. */
export async function findDeliveryContents(
  db: Queries,
  delivery: Delivery,
): Promise<{ payload: string; log: LoggedAttempt[] } | null> {
  const row = await db.get<{ body: string }>(sql`select body from event_payloads where event_id = ${delivery.eventId}`)
  return row ? { payload: row.body, log: await readLog(db, delivery) } : null
}

/** The events and bodies of a webhook's deliveries, by id. Deliveries that do not exist, or whose payload was deleted, are absent. */
export async function findSent(
  db: Queries,
  { accountId, webhookId }: WebhookKey,
  deliveryIds: readonly string[],
): Promise<Map<string, SentDelivery>> {
  const rows = await db.all<{ id: string; event_id: string; event: string; body: string }>(
    sql`select d.id, d.event_id, d.event, p.body from deliveries d join event_payloads p on p.event_id = d.event_id
      where ${inList('d.id', deliveryIds)} and d.webhook_id = ${webhookId} and d.account_id = ${accountId}`,
  )
  return new Map(rows.map(({ id, event_id, event, body }) => [id, { eventId: event_id, event, body }]))
}

/** The event of a delivery, its type, and the exact text of the body. */
export type SentDelivery = { eventId: string; event: string; body: string }

/** The body of a webhook's delivery of an event; null: there is none, or the payload was deleted. */
export async function findBodyOfEvent(
  db: Queries,
  { accountId, webhookId, eventId }: WebhookKey & { eventId: string },
): Promise<string | null> {
  const row = await db.get<{ body: string }>(
    sql`select p.body from deliveries d join event_payloads p on p.event_id = d.event_id
      where d.webhook_id = ${webhookId} and d.event_id = ${eventId} and d.account_id = ${accountId}`,
  )
  return row?.body ?? null
}

/**
 * The attempts of a delivery: those before the last ended one, the last ended one, and the open one, which are stored in three places. An
 * attempt that started after the delivery was read is omitted.
 */
async function readLog(db: Queries, { id, attempts }: Delivery): Promise<LoggedAttempt[]> {
  const rows = await db.all(
    sql`select a.number, a.started_at, a.duration_ms, a.status, a.error, a.details from delivery_attempts a
        join deliveries d on d.id = a.delivery_id where a.delivery_id = ${id} and a.number < d.attempts
      union all
      select d.attempts, d.last_attempt_at, d.response_duration_ms, d.response_status, d.error, a.details from deliveries d
        left join delivery_attempts a on a.delivery_id = d.id and a.number = d.attempts where d.id = ${id} and d.attempts > 0
      union all
      select d.attempts + 1, open.last_delivery_at, null, null, null, null from ${deliveriesWithOpen}
        where d.id = ${id} and open.webhook_id is not null
      order by number`,
  )
  return rows.map(attemptFromRow).filter(({ number }) => number <= attempts)
}

const columnNames = [
  'd.id',
  'created_at',
  'updated_at',
  'd.webhook_id',
  'd.event_id',
  'event',
  'list_id',
  'item_id',
  'status',
  'attempts',
  'next_attempt_at',
  'last_attempt_at',
  'completed_at',
  'response_status',
  'response_body',
  'response_duration_ms',
  'error',
  'open.last_delivery_at as open_since',
]
const columns = raw(columnNames.join(', '))
/** Deliveries, with the queue of those whose attempt is open. */
const deliveriesWithOpen = raw(
  'deliveries d left join webhook_queues open on open.webhook_id = d.webhook_id and open.attempt_delivery_id = d.id',
)

function deliveryFromRow(row: Row): Delivery {
  const createdAt = toNumber(row.created_at)
  const openSince = toNumberOrNull(row.open_since)
  const status = toNumberOrNull(row.response_status)
  const body = toTextOrNull(row.response_body) ?? ''
  return {
    id: toText(row.id),
    createdAt,
    updatedAt: Math.max(openSince ?? 0, toNumber(row.updated_at)),
    webhookId: toText(row.webhook_id),
    eventId: toText(row.event_id),
    event: toText(row.event),
    listId: toTextOrNull(row.list_id),
    itemId: toTextOrNull(row.item_id),
    status: toText(row.status) as Delivery['status'],
    attempts: toNumber(row.attempts) + Number(openSince !== null),
    nextAttemptAt: row.next_attempt_at === DUE_FIRST ? createdAt : toNumberOrNull(row.next_attempt_at),
    lastAttemptAt: openSince ?? toNumberOrNull(row.last_attempt_at),
    completedAt: toNumberOrNull(row.completed_at),
    response: status === null ? null : { status, body, durationMs: toNumber(row.response_duration_ms) },
    error: toTextOrNull(row.error) as Delivery['error'],
  }
}

function attemptFromRow(row: Row): LoggedAttempt {
  return {
    number: toNumber(row.number),
    startedAt: toNumber(row.started_at),
    durationMs: toNumberOrNull(row.duration_ms),
    status: toNumberOrNull(row.status),
    error: toTextOrNull(row.error) as LoggedAttempt['error'],
    details: row.details === null ? null : (JSON.parse(toText(row.details)) as AttemptDetails),
  }
}
