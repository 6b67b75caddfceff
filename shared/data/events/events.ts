import type { Actor } from '#shared/domain/actor.ts'
import type { EventStream, EventType } from '#shared/domain/event.ts'
import type { Transaction } from '../database.ts'
import { type Columns, insertRows, type Rows, rowMapper } from '../sql/insert-rows.ts'
import { sql } from '../sql/sql.ts'
import { excluded, onConflict } from '../sql/statements.ts'

/** An entry of the event log that is not about an item; entries about items are written with the item. */
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
  /** Null: the service itself. */
  actor: Actor | null
  /** JSON text of the subject after the change (before it, when deleted); never with a secret. */
  snapshot: string | null
  /** Additional details, such as the reason. */
  attachments?: Record<string, unknown>
}

/** An entry of the event log of any kind. Entries about items have a version and a revision. */
export type NewEvent = Omit<LoggedEvent, 'stream' | 'type' | 'attachments'> & {
  stream: EventStream
  type: string
  version?: string
  revision?: number
}

const eventColumns = {
  id: (event) => event.id,
  account_id: (event) => event.accountId,
  created_at: (event) => event.createdAt,
  stream: (event) => event.stream,
  type: (event) => event.type,
  model_id: (event) => event.modelId,
  list_id: (event) => event.listId,
  version: (event) => event.version ?? null,
  revision: (event) => event.revision ?? null,
  actor: (event) => JSON.stringify(event.actor),
  snapshot: (event) => event.snapshot,
} satisfies Columns<NewEvent>

/** Rows of the event log that have no attachments. */
export const eventRows = rowMapper<NewEvent>('events', eventColumns)

const eventRowsWithAttachments = rowMapper<LoggedEvent>('events', {
  ...eventColumns,
  attachments: (event) => (event.attachments ? JSON.stringify(event.attachments) : null),
})

/** Writes entries of the event log and counts them, in the transaction of the change that they record. */
export async function insertEvents(tx: Transaction, events: readonly LoggedEvent[]): Promise<void> {
  if (events.length === 0) return
  await tx.pipeline([
    () => insertRows(tx, eventRowsWithAttachments(events)),
    () => countEvents(tx, eventCounts(events)),
  ])
}

/** How many entries of a type are added to an account's log; negative: deleted. */
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
 * Adds to the counters that totals are read from. Code that inserts or deletes entries calls it in the same transaction, as
 * the last step, because on a server the counters stay locked until the commit.
 */
export async function countEvents(tx: Transaction, counts: readonly EventCount[]): Promise<void> {
  await insertRows(tx, eventCountRows(counts), addEntries)
}

/** The rows of counts, sorted by key: so two transactions lock the counters in one order and do not deadlock. */
export function eventCountRows(counts: readonly EventCount[]): Rows {
  return countRows(
    [...counts].sort(([account, type], [other, otherType]) =>
      account === other ? compare(type, otherType) : compare(account, other),
    ),
  )
}

const countRows = rowMapper<EventCount>('event_counts', {
  account_id: ([account]) => account,
  type: ([, type]) => type,
  entries: ([, , entries]) => entries,
})

/** The end of an insert of `eventCountRows`: adds to the counters that exist. */
export const addEntries = onConflict(['account_id', 'type'], {
  entries: sql`event_counts.entries + ${excluded('entries')}`,
})

function compare(left: string, right: string): number {
  return Number(left > right) - Number(left < right)
}
