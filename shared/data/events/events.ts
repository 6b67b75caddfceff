import type { Actor } from '#shared/domain/actor.ts'
import type { EventStream, EventType } from '#shared/domain/event-types.ts'
import type { Database, Transaction } from '../database.ts'
import { commitNumbers } from '../realtime/commit-numbers.ts'
import { type Columns, insertRows, rowMapper } from '../sql/insert-rows.ts'
import { type Announce, committedOf } from './committed.ts'
import { countEvents, eventCounts } from './event-counts.ts'

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
  /** The event is sent to streams. */
  realtime?: true
}

/** An entry of the event log of any kind. Entries about items have a version and a revision. */
export type NewEvent = Omit<LoggedEvent, 'stream' | 'type' | 'attachments' | 'realtime'> & {
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

/** The events of transactions, until they are announced. */
const logged = new WeakMap<Transaction, LoggedEvent[]>()

/** Transactions whose entries of the event log are announced after the commit. */
export function announcing({ db, announce }: { db: Database; announce: Announce }): Pick<Database, 'transaction'> {
  return {
    async transaction(work) {
      // The events of the last attempt; those of earlier ones were rolled back.
      let events: LoggedEvent[] = []
      const result = await db.transaction((tx) => {
        events = []
        logged.set(tx, events)
        return work(tx)
      })
      if (events.length > 0) announce(committedOf(events))
      return result
    },
  }
}

/** Writes entries of the event log and counts them, in the transaction of the change that they record. */
export async function insertEvents(tx: Transaction, events: readonly LoggedEvent[]): Promise<void> {
  if (events.length === 0) return
  logged.get(tx)?.push(...events)
  await tx.pipeline([
    () => insertRows(tx, eventRowsWithAttachments(events)),
    ...commitNumbers(events.filter(({ realtime }) => realtime)).map((statement) => () => tx.run(statement)),
    () => countEvents(tx, eventCounts(events)),
  ])
}
