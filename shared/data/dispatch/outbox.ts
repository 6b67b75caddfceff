import { timeOfId } from '#shared/domain/id.ts'
import {
  type FanOut,
  hears,
  type Listener,
  type ListenerSettings,
  type OutboxEvent,
  planFanOut,
} from '#shared/domain/webhook/fan-out.ts'
import type { ItemEventType } from '#shared/domain/webhook/webhook.ts'
import { toJson } from '../columns.ts'
import type { Transaction } from '../database.ts'
import { insertEvents } from '../events/events.ts'
import { insertRows } from '../sql/insert-rows.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { among, deleteAmong, forUpdateSkippingLocked, given, updateFrom } from '../sql/statements.ts'
import { removePayloads } from './payloads.ts'
import type { LockedHeads } from './queue-state.ts'

/** Which outbox rows to take: those of these events, or the oldest that have waited for so long. */
export type OutboxSelection = { eventIds: readonly string[] } | { waitedMs: number }

/** Events whose outbox rows this transaction has locked, and the webhooks that hear some of them. */
export type TakenEvents = {
  events: OutboxEvent[]
  listeners: ListenerSettings[]
  /** Whether more of what was asked for may wait. */
  more: boolean
}

export const nothingTaken: TakenEvents = { events: [], listeners: [], more: false }

/** Takes waiting events: a row that another process has taken is simply not there, and one it has locked is left to it. */
export async function takeEvents(tx: Transaction, selection: OutboxSelection, limit: number): Promise<TakenEvents> {
  const events = await lockOutbox(tx, selection, limit)
  const more = events.length === limit || (await isSomeLeft(tx, selection, events))
  if (events.length === 0) return { ...nothingTaken, more }
  const listeners = await readListeners(tx, [...new Set(events.map(({ accountId }) => accountId))])
  const hearing = listeners.filter((listener) => events.some((event) => hears(listener, event)))
  return { events, listeners: hearing, more }
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
  return (await tx.get(sql`select 1 as found from outbox where ${among('event_id', [...ids])} limit 1`)) !== undefined
}

/**
 * Gives events to webhooks: deletes their outbox rows, inserts deliveries that are due now, moves the heads' counters and
 * wakes idle heads. A held head is not touched beyond its counters: its holder looks for more before it lets go.
 * @param options.heads those of the listeners, locked after the events were taken
 * @param options.maxDeliveries bound of one transaction
 * @returns whether the bounds left some events waiting
 */
export async function giveOut(
  tx: Transaction,
  { events, listeners, more }: TakenEvents,
  options: { heads: LockedHeads; maxWaiting: number; maxDeliveries: number; newId(at: number): string },
): Promise<{ more: boolean }> {
  if (events.length === 0) return { more }
  const plan = planFanOut(events, withHeads(listeners, options.heads), options)
  const taken = plan.taken.map(({ eventId }) => eventId)
  const rules = { now: await tx.now(), newId: options.newId }
  await tx.inOrder([
    () => tx.run(deleteAmong('outbox', 'event_id', taken)),
    () => removePayloads(tx, plan.unheard),
    () => insertDeliveries(tx, plan, rules),
    () => moveHeads(tx, plan, rules),
    () => recordBacklogs(tx, plan, rules),
  ])
  return { more: more || taken.length < events.length }
}

/** A webhook that has been deleted since hears nothing. */
function withHeads(listeners: readonly ListenerSettings[], heads: LockedHeads): Listener[] {
  return listeners.flatMap((listener) => {
    const head = heads.get(listener.webhookId)
    return head ? [{ ...listener, waiting: head.waiting, backlogFull: head.backlogFull }] : []
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
  if ('eventIds' in selection) return sql`${among('event_id', selection.eventIds)} order by event_id`
  return sql`created_at <= ${(await tx.now()) - selection.waitedMs} order by created_at, event_id`
}

function byAge(left: OutboxRow, right: OutboxRow): number {
  return left.created_at - right.created_at || (left.event_id < right.event_id ? -1 : 1)
}

type ListenerRow = { id: string; account_id: string; events: string; list_ids: string; active_epoch: number }

/** Settings may change until the heads are locked; what is given to a webhook that was just disabled waits. */
async function readListeners(tx: Transaction, accountIds: readonly string[]): Promise<ListenerSettings[]> {
  const rows = await tx.all<ListenerRow>(
    sql`select id, account_id, events, list_ids, active_epoch from webhooks
      where ${among('account_id', accountIds)} and activated = 1 order by id`,
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

async function moveHeads(tx: Transaction, plan: FanOut, { now }: Rules): Promise<void> {
  if (plan.heads.length === 0) return
  const rows = plan.heads.map((head) => [head.webhookId, head.added, head.missed, Number(head.backlogFull)])
  await tx.run(
    updateFrom({
      table: 'webhook_heads',
      set: {
        waiting: sql`webhook_heads.waiting + given.added`,
        missed: sql`webhook_heads.missed + given.missed`,
        backlog_full: sql`given.full_now`,
        due_at: sql`case when webhook_heads.lease_owner is null and given.added > 0 and webhook_heads.due_at > ${now}
          then ${now} else webhook_heads.due_at end`,
      },
      from: given({ id: 'text', added: 'int', missed: 'int', full_now: 'int' }, rows),
      where: sql`webhook_heads.webhook_id = given.id`,
    }),
  )
}

async function recordBacklogs(tx: Transaction, plan: FanOut, { now, newId }: Rules): Promise<void> {
  const began = plan.heads.filter(({ backlogBegan }) => backlogBegan)
  await insertEvents(
    tx,
    began.map(({ webhookId, accountId }) => ({
      ...{ id: newId(now), accountId, createdAt: now, stream: 'webhook', type: 'webhook-backlog-full' },
      ...{ modelId: webhookId, listId: null, actor: null, snapshot: null },
    })),
  )
}
