import { timeOfId } from '#shared/domain/id.ts'
import { type FanOut, type Listener, type OutboxEvent, planFanOut } from '#shared/domain/webhook/fan-out.ts'
import type { ItemEventType } from '#shared/domain/webhook/webhook.ts'
import { toBoolean, toJson } from './columns.ts'
import type { Queries, Transaction } from './database.ts'
import { insertEvents } from './events.ts'
import { insertRows } from './insert-rows.ts'
import { jsonRows } from './json-rows.ts'

/** Which outbox rows to take: those of these events, or the oldest that have waited since before a time. */
export type OutboxSelection = { eventIds: readonly string[] } | { createdBefore: number }

/**
 * Gives waiting events to webhooks: takes their outbox rows, inserts deliveries that are due now, moves the heads'
 * counters and wakes idle heads. A row that another process has taken is simply not there. A held head is not touched
 * beyond its counters: its holder looks for more before it lets go.
 * @param options.maxDeliveries bound of one transaction
 * @returns how many events were given out, and whether the bound left some of the selection waiting
 */
export async function fanOut(
  tx: Transaction,
  selection: OutboxSelection,
  options: { maxWaiting: number; maxDeliveries: number; newId(at: number): string },
): Promise<{ taken: number; more: boolean }> {
  const events = await readOutbox(tx, selection, options.maxDeliveries)
  if (events.length === 0) return { taken: 0, more: false }
  const listeners = await readListeners(tx, [...new Set(events.map(({ accountId }) => accountId))])
  const plan = planFanOut(events, listeners, options)
  const taken = JSON.stringify(plan.taken.map(({ eventId }) => [eventId]))
  await tx.run(`delete from outbox where event_id in (select id from ${jsonRows(['id'])})`, [taken])
  if (plan.unheard.length > 0) await removePayloads(tx, plan.unheard)
  await insertDeliveries(tx, plan, options.newId)
  await moveHeads(tx, plan)
  await recordBacklogs(tx, plan, options.newId)
  const more = plan.taken.length < events.length || events.length === options.maxDeliveries
  return { taken: plan.taken.length, more }
}

/** Deletes the payloads of events that no delivery refers to. */
export async function removePayloads(tx: Queries, eventIds: readonly string[]): Promise<void> {
  await tx.run(`delete from event_payloads where event_id in (select id from ${jsonRows(['id'])})`, [
    JSON.stringify(eventIds.map((id) => [id])),
  ])
}

type OutboxRow = {
  event_id: string
  account_id: string
  request_id: string
  webhook_epoch: number
  type: string
  list_id: string
  model_id: string
}

async function readOutbox(tx: Transaction, selection: OutboxSelection, limit: number): Promise<OutboxEvent[]> {
  const select = `select o.event_id, o.account_id, o.request_id, o.webhook_epoch, e.type, e.list_id, e.model_id
    from outbox o join events e on e.id = o.event_id`
  const rows =
    'eventIds' in selection
      ? await tx.all<OutboxRow>(
          `${select} where o.event_id in (select id from ${jsonRows(['id'])}) order by o.event_id limit ?`,
          [JSON.stringify(selection.eventIds.map((id) => [id])), limit],
        )
      : await tx.all<OutboxRow>(`${select} where o.created_at <= ? order by o.created_at, o.event_id limit ?`, [
          selection.createdBefore,
          limit,
        ])
  return rows.map((row) => ({
    eventId: row.event_id,
    accountId: row.account_id,
    requestId: row.request_id,
    webhookEpoch: row.webhook_epoch,
    type: row.type.replace('-', '.') as ItemEventType, // the log's item-created is the payload's item.created
    listId: row.list_id,
    itemId: row.model_id,
  }))
}

type ListenerRow = {
  id: string
  account_id: string
  events: string
  list_ids: string
  active_epoch: number
  waiting: number
  backlog_full: unknown
}

async function readListeners(tx: Transaction, accountIds: readonly string[]): Promise<Listener[]> {
  const rows = await tx.all<ListenerRow>(
    `select w.id, w.account_id, w.events, w.list_ids, w.active_epoch, h.waiting, h.backlog_full
     from webhooks w join webhook_heads h on h.webhook_id = w.id
     where w.account_id in (select id from ${jsonRows(['id'])}) and w.activated = 1 order by w.id`,
    [JSON.stringify(accountIds.map((id) => [id]))],
  )
  return rows.map((row) => ({
    webhookId: row.id,
    accountId: row.account_id,
    events: toJson(row.events),
    listIds: toJson(row.list_ids),
    activeEpoch: row.active_epoch,
    waiting: row.waiting,
    backlogFull: toBoolean(row.backlog_full),
  }))
}

const deliveryColumns = [
  ...['id', 'account_id', 'webhook_id', 'event_id', 'event', 'list_id', 'item_id', 'request_id'],
  ...['created_at', 'updated_at', 'status', 'next_attempt_at'],
]

/** A delivery's id tells when it was made, so that the order of ids is that of `created_at`, on which pages rely. */
async function insertDeliveries(tx: Transaction, plan: FanOut, newId: (at: number) => string): Promise<void> {
  const now = await tx.now()
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

async function moveHeads(tx: Transaction, plan: FanOut): Promise<void> {
  if (plan.heads.length === 0) return
  const now = await tx.now()
  const rows = plan.heads.map((head) => [head.webhookId, head.added, head.missed, Number(head.backlogFull)])
  await tx.run(
    `update webhook_heads set waiting = waiting + given.added, missed = webhook_heads.missed + given.missed,
       backlog_full = given.full_now,
       due_at = case when lease_owner is null and given.added > 0 and due_at > ? then ? else due_at end
     from ${jsonRows(['id', 'added', 'missed', 'full_now'])} where webhook_heads.webhook_id = given.id`,
    [now, now, JSON.stringify(rows)],
  )
}

async function recordBacklogs(tx: Transaction, plan: FanOut, newId: (at: number) => string): Promise<void> {
  const now = await tx.now()
  const began = plan.heads.filter(({ backlogBegan }) => backlogBegan)
  await insertEvents(
    tx,
    began.map(({ webhookId, accountId }) => ({
      ...{ id: newId(now), accountId, createdAt: now, stream: 'webhook', type: 'webhook-backlog-full' },
      ...{ modelId: webhookId, listId: null, actor: null, snapshot: null },
    })),
  )
}
