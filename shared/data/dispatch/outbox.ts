import { timeOfId } from '#shared/domain/id.ts'
import { itemEventTypeOf } from '#shared/domain/webhook/event-types.ts'
import {
  type ActiveWebhook,
  type FanOut,
  matches,
  type OutboxEvent,
  planFanOut,
  type WebhookListener,
} from '#shared/domain/webhook/fan-out.ts'
import type { Transaction } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { insertEvents } from '../events/events.ts'
import { insertRows, rowMapper } from '../sql/insert-rows.ts'
import { raw, sql } from '../sql/sql.ts'
import { deleteInList, forUpdateSkippingLocked, inList } from '../sql/statements.ts'
import type { AccountEpoch, Listeners } from './listeners.ts'
import { removePayloads } from './payloads.ts'
import type { LockedQueues } from './queue-state.ts'

// The outbox holds the committed events that have not been fanned out yet. One transaction takes some (`takeEvents`), then
// locks the queues of the webhooks that match them (its caller does), then fans out (`planTaken`, `writeFanOut`): it deletes
// the outbox rows and inserts a delivery for each match. The queues are written last (`queue-state.ts`).
// The order of the steps is the lock order: outbox rows, queues, event counts.
// Invariant: an event is fanned out exactly once, to the webhooks that were active when it was committed.
// The outbox is written with the item, rather than the deliveries themselves, so that a change never waits for webhooks.

/** Which outbox rows to take: those of these events, or the oldest that have waited at least so long. */
export type OutboxSelection = { eventIds: readonly string[] } | { waitedMs: number }

/** Events whose outbox rows this transaction has locked, and the webhooks, active or not, that match any of them. */
export type TakenEvents = {
  events: OutboxEvent[]
  listeners: WebhookListener[]
  /** Whether more events of the selection may be waiting. */
  more: boolean
}

export const noEvents: TakenEvents = { events: [], listeners: [], more: false }

/** Takes waiting events and skips rows that another transaction has locked; fanned out ones no longer have a row. */
export async function takeEvents(
  tx: Transaction,
  selection: OutboxSelection,
  { limit, listeners }: { limit: number; listeners: Listeners },
): Promise<TakenEvents> {
  const { events, epochs } = await lockOutbox(tx, selection, limit)
  const more = events.length === limit || (await isAnyLeft(tx, selection, events))
  if (events.length === 0) return { ...noEvents, more }
  return { events, listeners: matchingAny(events, await listeners.read(tx, epochs)), more }
}

/** The webhooks that any of the events matches. */
export function matchingAny(events: readonly OutboxEvent[], all: readonly WebhookListener[]): WebhookListener[] {
  return all.filter((listener) =>
    events.some((event) => event.accountId === listener.accountId && matches(listener, event)),
  )
}

/** Whether any selected event was skipped. MySQL locks a row for a moment even when it only examines it. */
async function isAnyLeft(tx: Transaction, selection: OutboxSelection, taken: readonly OutboxEvent[]): Promise<boolean> {
  if (!('eventIds' in selection)) return false
  const ids = new Set(selection.eventIds)
  for (const { eventId } of taken) ids.delete(eventId)
  if (ids.size === 0) return false
  return (await tx.get(sql`select 1 as found from outbox where ${inList('event_id', [...ids])} limit 1`)) !== undefined
}

/** Which deliveries the taken events become, and what webhooks miss. */
export type FanOutPlan = FanOut & { more: boolean }

/**
 * Decides which webhooks get which of the taken events.
 * @param options.queues the listeners' queues, locked after the events were taken
 * @param options.maxWaiting the most deliveries that may wait for one webhook
 * @param options.maxDeliveries the most deliveries of one transaction
 * @returns `more`: whether the limits left some events waiting
 */
export function planTaken(
  { events, listeners, more }: TakenEvents,
  options: { queues: LockedQueues; maxWaiting: number; maxDeliveries: number },
): FanOutPlan {
  const plan = planFanOut(events, withQueues(listeners, options.queues), options)
  return { ...plan, more: more || plan.taken.length < events.length }
}

/**
 * Deletes the events' outbox rows, inserts their deliveries, due now, and logs backlogs that are full. The caller writes the
 * queues.
 */
export async function writeFanOut(tx: Transaction, plan: FanOutPlan, rules: FanOutRules): Promise<void> {
  if (plan.taken.length === 0) return
  const taken = plan.taken.map(({ eventId }) => eventId)
  await tx.pipeline([
    () => tx.run(deleteInList('outbox', 'event_id', taken)),
    () => removePayloads(tx, plan.unmatched),
    () => insertRows(tx, deliveryRows(newDeliveries(plan, rules))),
    () => logFullBacklogs(tx, plan, rules),
  ])
}

/**
 * Leaves out webhooks that are disabled or deleted. The epoch of activation is the one read with the queue: one that was
 * activated after its settings were read gets no event from before.
 */
function withQueues(listeners: readonly WebhookListener[], queues: LockedQueues): ActiveWebhook[] {
  return listeners.flatMap((listener) => {
    const { activeEpoch = null, waiting = 0, backlogFull = false } = queues.get(listener.webhookId) ?? {}
    return activeEpoch === null ? [] : [{ ...listener, activeEpoch, waiting, backlogFull }]
  })
}

export type OutboxRow = {
  event_id: string
  account_id: string
  request_id: string
  listener_epoch: number
  created_at: number
  type: keyof typeof itemEventTypeOf
  list_id: string
  model_id: string
  current_epoch: number
}

type Locked = { events: OutboxEvent[]; epochs: AccountEpoch[] }

async function lockOutbox(tx: Transaction, selection: OutboxSelection, limit: number): Promise<Locked> {
  const selected = sql`select event_id, account_id, request_id, listener_epoch, created_at from outbox
    where ${await selectedBy(tx, selection)} limit ${limit} ${forUpdateSkippingLocked}`
  return toLocked(
    await tx.all<OutboxRow>(
      sql`select ${eventColumns}
      from (${selected}) as o join events e on e.id = o.event_id join accounts a on a.id = o.account_id`,
    ),
  )
}

/** The columns of an outbox row as `o`, its event as `e` and its account as `a`. */
export const eventColumns =
  raw(`o.event_id, o.account_id, o.request_id, o.listener_epoch, o.created_at, e.type, e.list_id, e.model_id,
        a.listener_epoch as current_epoch`)

/** Events in the order of their age, and the epochs of their accounts. */
export function toLocked(rows: OutboxRow[]): Locked {
  const epochs = new Map(rows.map((row) => [row.account_id, row.current_epoch]))
  return {
    events: rows.sort(byAge).map(toEvent),
    epochs: [...epochs].map(([accountId, epoch]) => ({ accountId, epoch })),
  }
}

function toEvent(row: OutboxRow): OutboxEvent {
  return {
    eventId: row.event_id,
    accountId: row.account_id,
    requestId: row.request_id,
    listenerEpoch: row.listener_epoch,
    type: itemEventTypeOf[row.type],
    listId: row.list_id,
    itemId: row.model_id,
  }
}

async function selectedBy(tx: Transaction, selection: OutboxSelection): Promise<Sql> {
  if ('eventIds' in selection) return sql`${inList('event_id', selection.eventIds)} order by event_id`
  return sql`created_at <= ${(await tx.now()) - selection.waitedMs} order by created_at, event_id`
}

function byAge(left: OutboxRow, right: OutboxRow): number {
  return left.created_at - right.created_at || (left.event_id < right.event_id ? -1 : 1)
}

/** The database's clock, and a generator of ids that hold a time. */
type FanOutRules = { now: number; newId(at: number): string }

/** A delivery's id holds its time of creation, so ids have the order of `created_at`; pages rely on that. */
export function newDeliveries(plan: FanOut, { now, newId }: FanOutRules): NewDelivery[] {
  return plan.deliveries.map((delivery) => {
    const id = newId(now)
    return { ...delivery, id, createdAt: timeOfId(id), now }
  })
}

export type NewDelivery = FanOut['deliveries'][number] & { id: string; createdAt: number; now: number }

const deliveryRows = rowMapper<NewDelivery>('deliveries', {
  id: ({ id }) => id,
  account_id: ({ event }) => event.accountId,
  webhook_id: ({ webhookId }) => webhookId,
  event_id: ({ event }) => event.eventId,
  event: ({ event }) => event.type,
  list_id: ({ event }) => event.listId,
  item_id: ({ event }) => event.itemId,
  request_id: ({ event }) => event.requestId,
  created_at: ({ createdAt }) => createdAt,
  updated_at: ({ createdAt }) => createdAt,
  status: () => 'pending',
  next_attempt_at: ({ now }) => now,
})

/** A webhook that has begun to miss events, and how many it missed at once. */
export type FullBacklog = { webhookId: string; accountId: string; url: string; missed: number }

/** The webhooks whose backlog has become full, with where they are sent to. */
export async function readFullBacklogs(tx: Transaction, { queues }: FanOut): Promise<FullBacklog[]> {
  const began = new Map(queues.filter(({ backlogBegan }) => backlogBegan).map((queue) => [queue.webhookId, queue]))
  if (began.size === 0) return []
  const rows = await tx.all<{ id: string; account_id: string; url: string }>(
    sql`select id, account_id, url from webhooks where ${inList('id', [...began.keys()])}`,
  )
  return rows.map(({ id, account_id, url }) => ({
    webhookId: id,
    accountId: account_id,
    url,
    missed: began.get(id)?.missed ?? 0,
  }))
}

async function logFullBacklogs(tx: Transaction, plan: FanOut, { now, newId }: FanOutRules): Promise<void> {
  const began = plan.queues.filter(({ backlogBegan }) => backlogBegan)
  await insertEvents(
    tx,
    began.map(({ webhookId, accountId }) => ({
      id: newId(now),
      accountId,
      createdAt: now,
      stream: 'webhook',
      type: 'webhook-backlog-full',
      modelId: webhookId,
      listId: null,
      actor: null,
      snapshot: null,
    })),
  )
}
