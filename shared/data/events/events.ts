import type { Actor } from '#shared/domain/actor.ts'
import type { EventStream, EventType } from '#shared/domain/event.ts'
import type { Queries } from './database.ts'
import { insertRows } from './insert-rows.ts'
import { jsonRows } from './json-rows.ts'

/** An entry of the account's event log that is not about an item: those are written with their item. */
export type LoggedEvent = {
  id: string
  accountId: string
  /** Epoch milliseconds. */
  createdAt: number
  stream: Exclude<EventStream, 'item'>
  /** `webhook-created`, `list-updated`, … */
  type: EventType
  modelId: string
  listId: string | null
  /** Null: the service itself did it. */
  actor: Actor | null
  /** JSON text of the thing after the change (before it, when deleted); never with a secret. */
  snapshot: string | null
  /** What else there is to say, say the reason. */
  attachments?: Record<string, unknown>
}

/** Writes entries of the event log and counts them, in the transaction of the change that they tell of. */
export async function insertEvents(tx: Queries, events: readonly LoggedEvent[]): Promise<void> {
  if (events.length === 0) return
  await insertRows(tx, 'events', columns, events.map(eventRow))
  await countEvents(tx, eventCounts(events))
}

const columns = [
  ...['id', 'account_id', 'created_at', 'stream', 'type', 'model_id', 'list_id', 'actor', 'snapshot', 'attachments'],
]

function eventRow({ attachments, actor, ...event }: LoggedEvent): unknown[] {
  const { id, accountId, createdAt, stream, type, modelId, listId, snapshot } = event
  const extra = attachments === undefined ? null : JSON.stringify(attachments)
  return [id, accountId, createdAt, stream, type, modelId, listId, JSON.stringify(actor), snapshot, extra]
}

/** How many entries of each type an account gets; negative: loses. As rows of `addEventCounts`. */
export type EventCount = [accountId: string, type: string, entries: number]

/** The counts of entries by account and type. */
export function eventCounts(events: readonly { accountId: string; type: string }[]): EventCount[] {
  const counts = new Map<string, EventCount>()
  for (const { accountId, type } of events) {
    const count = counts.get(accountId + type) ?? [accountId, type, 0]
    count[2]++
    counts.set(accountId + type, count)
  }
  return [...counts.values()]
}

/**
 * Moves the counters that totals are read from: whoever inserts or deletes entries does it in the same transaction, as
 * the last thing, because on other databases the rows stay locked until the commit.
 */
export async function countEvents(tx: Queries, counts: readonly EventCount[]): Promise<void> {
  await tx.run(addEventCounts, [JSON.stringify(counts)])
}

/** Takes `EventCount` rows as one JSON text. */
export const addEventCounts = `insert into event_counts (account_id, type, entries)
  select account_id, type, entries from ${jsonRows(['account_id', 'type', 'entries'])} where true
  on conflict (account_id, type) do update set entries = event_counts.entries + excluded.entries`
