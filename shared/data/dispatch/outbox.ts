import { timeOfId } from '#shared/domain/id.ts'
import {
  type FanOut,
  matches,
  type OutboxEvent,
  planFanOut,
  type Subscriber,
  type SubscriberSettings,
} from '#shared/domain/webhook/fan-out.ts'
import type { ItemEventType } from '#shared/domain/webhook/webhook.ts'
import { toJson } from '../columns.ts'
import type { Transaction } from '../database.ts'
import { insertEvents } from '../events/events.ts'
import type { Sql } from '../sql/dialect.ts'
import { insertRows } from '../sql/insert-rows.ts'
import { sql } from '../sql/sql.ts'
import { deleteInList, forUpdateSkippingLocked, inList, updateFrom, valuesTable } from '../sql/statements.ts'
import { removePayloads } from './payloads.ts'
import type { LockedQueues } from './queue-state.ts'

/** Which outbox rows to take: those of these events, or the oldest that have waited for so long. */
export type OutboxSelection = { eventIds: readonly string[] } | { waitedMs: number }

/** Events whose outbox rows this transaction has locked, and the webhooks that match some of them. */
export type TakenEvents = {
  events: OutboxEvent[]
  subscribers: SubscriberSettings[]
  /** Whether more of what was asked for may wait. */
  more: boolean
}

export const nothingTaken: TakenEvents = { events: [], subscribers: [], more: false }

/** Takes waiting events: a row that another process has taken is simply not there, and one it has locked is left to it. */
export async function takeEvents(tx: Transaction, selection: OutboxSelection, limit: number): Promise<TakenEvents> {
  const events = await lockOutbox(tx, selection, limit)
  const more = events.length === limit || (await isSomeLeft(tx, selection, events))
  if (events.length === 0) return { ...nothingTaken, more }
  const subscribers = await readSubscribers(tx, [...new Set(events.map(({ accountId }) => accountId))])
  const matching = subscribers.filter((subscriber) => events.some((event) => matches(subscriber, event)))
  return { events, subscribers: matching, more }
}

/** Whether some of the named events were only passed over. MySQL locks a row for a moment also when it but looks at it. */
async function isSomeLeft(
  tx: Transaction,
  selection: OutboxSelection,
  taken: readonly OutboxEvent[],
): Promise<boolean> {
  if (!('eventIds' in selection)) return false
  const ids = new Set(selection.eventIds)
  for (const { eventId } of taken) ids.delete(eventId)
  if (ids.size === 0) return false
  return (await tx.get(sql`select 1 as found from outbox where ${inList('event_id', [...ids])} limit 1`)) !== undefined
}

/**
 * Gives events to webhooks: deletes their outbox rows, inserts deliveries that are due now, moves the queues' counters and
 * wakes idle queues. A held queue is not touched beyond its counters: its holder looks for more before it lets go.
 * @param options.queues those of the subscribers, locked after the events were taken
 * @param options.maxDeliveries bound of one transaction
 * @returns whether the bounds left some events waiting
 */
export async function fanOut(
  tx: Transaction,
  { events, subscribers, more }: TakenEvents,
  options: { queues: LockedQueues; maxWaiting: number; maxDeliveries: number; newId(at: number): string },
): Promise<{ more: boolean }> {
  if (events.length === 0) return { more }
  const plan = planFanOut(events, withQueues(subscribers, options.queues), options)
  const taken = plan.taken.map(({ eventId }) => eventId)
  const rules = { now: await tx.now(), newId: options.newId }
  await tx.pipeline([
    () => tx.run(deleteInList('outbox', 'event_id', taken)),
    () => removePayloads(tx, plan.unmatched),
    () => insertDeliveries(tx, plan, rules),
    () => moveCounters(tx, plan, rules),
    () => recordBacklogs(tx, plan, rules),
  ])
  return { more: more || taken.length < events.length }
}

/** A webhook that has been deleted since matches nothing. */
function withQueues(subscribers: readonly SubscriberSettings[], queues: LockedQueues): Subscriber[] {
  return subscribers.flatMap((subscriber) => {
    const queue = queues.get(subscriber.webhookId)
    return queue ? [{ ...subscriber, waiting: queue.waiting, backlogFull: queue.backlogFull }] : []
  })
}

type OutboxRow = {
  event_id: string
  account_id: string
  request_id: string
  webhook_epoch: number
  created_at: number
  type: string
  list_id: string
  model_id: string
}

async function lockOutbox(tx: Transaction, selection: OutboxSelection, limit: number): Promise<OutboxEvent[]> {
  const chosen = sql`select event_id, account_id, request_id, webhook_epoch, created_at from outbox
    where ${await chosenBy(tx, selection)} limit ${limit} ${forUpdateSkippingLocked}`
  const rows = await tx.all<OutboxRow>(
    sql`select o.event_id, o.account_id, o.request_id, o.webhook_epoch, o.created_at, e.type, e.list_id, e.model_id
      from (${chosen}) as o join events e on e.id = o.event_id`,
  )
  return rows.sort(byAge).map((row) => ({
    eventId: row.event_id,
    accountId: row.account_id,
    requestId: row.request_id,
    webhookEpoch: row.webhook_epoch,
    type: row.type.replace('-', '.') as ItemEventType, // the log's item-created is the payload's item.created
    listId: row.list_id,
    itemId: row.model_id,
  }))
}

async function chosenBy(tx: Transaction, selection: OutboxSelection): Promise<Sql> {
  if ('eventIds' in selection) return sql`${inList('event_id', selection.eventIds)} order by event_id`
  return sql`created_at <= ${(await tx.now()) - selection.waitedMs} order by created_at, event_id`
}

function byAge(left: OutboxRow, right: OutboxRow): number {
  return left.created_at - right.created_at || (left.event_id < right.event_id ? -1 : 1)
}

type SubscriberRow = { id: string; account_id: string; events: string; list_ids: string; active_epoch: number }

/** Settings may change until the queues are locked; what is given to a webhook that was just disabled waits. */
async function readSubscribers(tx: Transaction, accountIds: readonly string[]): Promise<SubscriberSettings[]> {
  const rows = await tx.all<SubscriberRow>(
    sql`select id, account_id, events, list_ids, active_epoch from webhooks
      where ${inList('account_id', accountIds)} and activated = 1 order by id`,
  )
  return rows.map((row) => ({
    webhookId: row.id,
    accountId: row.account_id,
    events: toJson(row.events),
    listIds: toJson(row.list_ids),
    activeEpoch: row.active_epoch,
  }))
}

/** The database's clock, and what makes ids of a time. */
type Rules = { now: number; newId(at: number): string }

const deliveryColumns = [
  ...['id', 'account_id', 'webhook_id', 'event_id', 'event', 'list_id', 'item_id', 'request_id'],
  ...['created_at', 'updated_at', 'status', 'next_attempt_at'],
]

/** A delivery's id tells when it was made, so that the order of ids is that of `created_at`, on which pages rely. */
async function insertDeliveries(tx: Transaction, plan: FanOut, { now, newId }: Rules): Promise<void> {
  const rows = plan.deliveries.map(({ webhookId, event }) => {
    const id = newId(now)
    const createdAt = timeOfId(id)
    return [
      ...[id, event.accountId, webhookId, event.eventId, event.type, event.listId, event.itemId, event.requestId],
      ...[createdAt, createdAt, 'pending', now],
    ]
  })
  await insertRows(tx, 'deliveries', deliveryColumns, rows)
}

async function moveCounters(tx: Transaction, plan: FanOut, { now }: Rules): Promise<void> {
  if (plan.queues.length === 0) return
  const rows = plan.queues.map((queue) => [queue.webhookId, queue.added, queue.missed, Number(queue.backlogFull)])
  await tx.run(
    updateFrom({
      table: 'webhook_queues',
      set: {
        waiting: sql`webhook_queues.waiting + given.added`,
        missed: sql`webhook_queues.missed + given.missed`,
        backlog_full: sql`given.full_now`,
        due_at: sql`case when webhook_queues.lease_owner is null and given.added > 0 and webhook_queues.due_at > ${now}
          then ${now} else webhook_queues.due_at end`,
      },
      from: valuesTable({ id: 'text', added: 'int', missed: 'int', full_now: 'int' }, rows),
      where: sql`webhook_queues.webhook_id = given.id`,
    }),
  )
}

async function recordBacklogs(tx: Transaction, plan: FanOut, { now, newId }: Rules): Promise<void> {
  const began = plan.queues.filter(({ backlogBegan }) => backlogBegan)
  await insertEvents(
    tx,
    began.map(({ webhookId, accountId }) => ({
      ...{ id: newId(now), accountId, createdAt: now, stream: 'webhook', type: 'webhook-backlog-full' },
      ...{ modelId: webhookId, listId: null, actor: null, snapshot: null },
    })),
  )
}
