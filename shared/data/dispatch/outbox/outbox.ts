import { itemEventTypeOf } from '#shared/domain/webhook/event-types.ts'
import {
  type FanOut,
  isFilteredBy,
  isFor,
  type OutboxEvent,
  type WebhookListener,
  withheld,
} from '#shared/domain/webhook/fan-out.ts'
import { toJson } from '../../columns.ts'
import type { Queries, Transaction } from '../../database.ts'
import type { Sql } from '../../dialect.ts'
import { type HeldEvent, insertHeldEvents } from '../../held/held-events.ts'
import { holdPayloads } from '../../held/held-payloads.ts'
import { raw, sql } from '../../sql/sql.ts'
import { deleteInList, forUpdateSkippingLocked, inList } from '../../sql/statements.ts'
import type { AccountEpoch, Listeners } from './listeners.ts'
import { insertDeliveryRows, type NewDelivery } from './new-deliveries.ts'
import { readPayloads, removePayloads } from './payloads.ts'

// The outbox contains the committed events that have not been fanned out yet. A cycle reads some, locked (`takeEvents`) or not
// (`readEvents`), then the queues of the webhooks that match them. Then it fans out: it deletes the outbox rows and inserts a delivery, or
// a held event, for each match. The queues are written last (`queue-state.ts`).
// The order of the steps is the lock order: outbox rows, queues, event counts.
// Invariant: an event is fanned out exactly once, to the webhooks that were active when it was committed.
// The outbox is written with the item, rather than the deliveries themselves, so that a change never waits for webhooks.

/** Which outbox rows to take: those of these events, or the oldest that have waited at least this long. */
export type OutboxSelection = { eventIds: readonly string[] } | { waitedMs: number }

/** Events that wait in the outbox, and the webhooks, active or not, that match any of them. */
export type WaitingEvents = {
  events: readonly OutboxEvent[]
  listeners: readonly WebhookListener[]
  /** Whether more events of the selection may be waiting. */
  moreInOutbox: boolean
}

export const noEvents: WaitingEvents = { events: [], listeners: [], moreInOutbox: false }

/** Takes waiting events and skips rows that another transaction has locked; events that were fanned out no longer have a row. */
export async function takeEvents(
  tx: Transaction,
  selection: OutboxSelection,
  { limit, listeners }: { limit: number; listeners: Listeners },
): Promise<WaitingEvents> {
  const selected = sql`select event_id, account_id, request_id, listener_epoch, created_at, webhook_ids from outbox
    where ${await selectedBy(tx, selection)} limit ${limit} ${forUpdateSkippingLocked}`
  const { events, epochs } = toEvents(await readOutbox(tx, { from: sql`(${selected}) as o` }))
  const moreInOutbox = events.length === limit || (await isAnyLeft(tx, selection, events))
  if (events.length === 0) return { ...noEvents, moreInOutbox }
  const all = await listeners.read(tx, epochs)
  const known = await filterEvents(tx, events, all)
  return {
    events: known,
    listeners: matchingAny(known, all),
    moreInOutbox: moreInOutbox || known.length < events.length,
  }
}

/** Reads those of these events that still wait, without locking them, and their payloads by event. */
export async function readEvents(
  db: Queries,
  eventIds: readonly string[],
  listeners: Listeners,
): Promise<WaitingEvents & { payloads: ReadonlyMap<string, string> }> {
  if (eventIds.length === 0) return { ...noEvents, payloads: new Map() }
  const rows = await readOutbox<OutboxRow & { body: string }>(db, {
    from: sql`outbox o join event_payloads p on p.event_id = o.event_id`,
    columns: sql`, p.body`,
    where: sql`where ${inList('o.event_id', eventIds)}`,
  })
  const { events: waiting, epochs } = toEvents(rows)
  const all = await listeners.read(db, epochs)
  const payloads = new Map(rows.map((row) => [row.event_id, row.body]))
  const events = waiting.map((event) => filteredBy(event, all, payloads.get(event.eventId)))
  return { events, listeners: matchingAny(events, all), moreInOutbox: false, payloads }
}

/** Events whose payloads are read at once, and the characters of payloads after which the others wait for another cycle. */
const payloadsAtOnce = 20
const maxPayloadCharacters = 4 * 1024 * 1024

/**
 * The events after the filters of webhooks. Only payloads that a filter needs are read; if a cycle may not read all of these, only the
 * first events are returned.
 */
async function filterEvents(
  db: Queries,
  events: readonly OutboxEvent[],
  listeners: readonly WebhookListener[],
): Promise<readonly OutboxEvent[]> {
  const filtering = listeners.filter(({ filters }) => filters !== undefined)
  const seen = filtering.length === 0 ? [] : events.filter((event) => filteringOf(event, filtering).length > 0)
  if (seen.length === 0) return events
  const known = new Map<string, OutboxEvent>()
  let characters = 0
  for (let from = 0; from < seen.length && characters < maxPayloadCharacters; from += payloadsAtOnce) {
    const some = seen.slice(from, from + payloadsAtOnce)
    const payloads = await readPayloads(
      db,
      some.map(({ eventId }) => eventId),
    )
    for (const event of some) {
      const payload = payloads.get(event.eventId)
      characters += payload?.length ?? 0
      known.set(event.eventId, filteredBy(event, filtering, payload))
    }
  }
  const unread = seen[known.size]
  const end = unread === undefined ? events.length : events.indexOf(unread)
  return events.slice(0, end).map((event) => known.get(event.eventId) ?? event)
}

function filteredBy(
  event: OutboxEvent,
  listeners: readonly WebhookListener[],
  payload: string | undefined,
): OutboxEvent {
  const filtering = filteringOf(event, listeners)
  if (event.type === 'flow.emit' || filtering.length === 0 || payload === undefined) return event
  return withheld(event, filtering, payload)
}

const filteringOf = (event: OutboxEvent, listeners: readonly WebhookListener[]): WebhookListener[] =>
  listeners.filter((listener) => listener.accountId === event.accountId && isFilteredBy(listener, event))

/** The webhooks that any of the events matches. */
function matchingAny(events: readonly OutboxEvent[], all: readonly WebhookListener[]): WebhookListener[] {
  return all.filter((listener) =>
    events.some((event) => event.accountId === listener.accountId && isFor(listener, event)),
  )
}

/** Whether any selected event was skipped. MySQL locks a row for a moment even when it only examines it. */
async function isAnyLeft(
  tx: Transaction,
  selection: OutboxSelection,
  locked: readonly OutboxEvent[],
): Promise<boolean> {
  if (!('eventIds' in selection)) return false
  const ids = new Set(selection.eventIds)
  for (const { eventId } of locked) ids.delete(eventId)
  if (ids.size === 0) return false
  return (await tx.get(sql`select 1 as found from outbox where ${inList('event_id', [...ids])} limit 1`)) !== undefined
}

/** Events that leave the outbox, the deliveries that webhooks receive, the events held for them, and those that they miss. */
export type FanOutPlan = Omit<FanOut, 'deliveries' | 'held'> & {
  deliveries: readonly NewDelivery[]
  held: readonly HeldEvent[]
}

/** Deletes the events' outbox rows, inserts their deliveries, and holds events. The caller writes queues and backlogs. */
export async function writeFanOut(tx: Transaction, fanOut: FanOutPlan): Promise<void> {
  if (fanOut.events.length === 0) return
  await tx.pipeline([
    () => tx.run(deleteFromOutbox(fanOut)),
    () => holdPayloads(tx, fanOut.held),
    () => insertHeldEvents(tx, fanOut.held),
    () => removePayloads(tx, fanOut.unmatched),
    () => insertDeliveryRows(tx, fanOut.deliveries),
  ])
}

export function deleteFromOutbox({ events }: FanOutPlan): Sql {
  return deleteInList(
    'outbox',
    'event_id',
    events.map(({ eventId }) => eventId),
  )
}

type OutboxRow = {
  event_id: string
  account_id: string
  request_id: string
  listener_epoch: number
  created_at: number
  current_epoch: number
} & (
  | { webhook_ids: null; type: keyof typeof itemEventTypeOf; list_id: string; model_id: string }
  | { webhook_ids: string; type: null; list_id: null; model_id: null }
)

/**
 * Reads rows of the outbox with their events and accounts. An event that a flow has emitted has no entry in the event log, so dispatchers
 * of earlier versions do not find it and leave it to others.
 * @param select.from the rows as `o`
 */
function readOutbox<R extends OutboxRow>(
  db: Queries,
  { from, columns = raw(''), where = raw('') }: { from: Sql; columns?: Sql; where?: Sql },
): Promise<R[]> {
  return db.all<R>(
    sql`select o.event_id, o.account_id, o.request_id, o.listener_epoch, o.created_at, o.webhook_ids,
        e.type, e.list_id, e.model_id, a.listener_epoch as current_epoch${columns}
      from ${from} left join events e on e.id = o.event_id
      join accounts a on a.id = o.account_id and (e.id is not null or o.webhook_ids is not null) ${where}`,
  )
}

/** Events in the order of their age, and the epochs of their accounts. */
function toEvents(rows: OutboxRow[]): { events: OutboxEvent[]; epochs: AccountEpoch[] } {
  const epochs = new Map(rows.map((row) => [row.account_id, row.current_epoch]))
  return {
    events: rows.sort(byAge).map(toEvent),
    epochs: [...epochs].map(([accountId, epoch]) => ({ accountId, epoch })),
  }
}

function toEvent(row: OutboxRow): OutboxEvent {
  const waiting = {
    eventId: row.event_id,
    accountId: row.account_id,
    requestId: row.request_id,
    listenerEpoch: row.listener_epoch,
  }
  if (row.webhook_ids !== null) {
    return { ...waiting, type: 'flow.emit', listId: null, itemId: null, webhookIds: toJson(row.webhook_ids) }
  }
  return { ...waiting, type: itemEventTypeOf[row.type], listId: row.list_id, itemId: row.model_id }
}

async function selectedBy(tx: Transaction, selection: OutboxSelection): Promise<Sql> {
  if ('eventIds' in selection) return sql`${inList('event_id', selection.eventIds)} order by event_id`
  return sql`created_at <= ${(await tx.now()) - selection.waitedMs} order by created_at, event_id`
}

function byAge(left: OutboxRow, right: OutboxRow): number {
  return left.created_at - right.created_at || (left.event_id < right.event_id ? -1 : 1)
}
