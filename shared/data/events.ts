import type { Actor } from '#shared/domain/actor.ts'
import type { Queries } from './database.ts'
import { insertRows } from './insert-rows.ts'

/** An entry of the account's event log that is not about an item: those are written with their item. */
export type LoggedEvent = {
  id: string
  accountId: string
  /** Epoch milliseconds. */
  createdAt: number
  stream: 'list' | 'index' | 'identity' | 'token' | 'webhook' | 'user'
  /** `webhook-created`, `list-updated`, … */
  type: string
  modelId: string
  listId: string | null
  /** Null: the service itself did it. */
  actor: Actor | null
  /** JSON text of the thing after the change (before it, when deleted); never with a secret. */
  snapshot: string | null
}

/** Writes entries of the event log, in the transaction of the change that they tell of. */
export async function insertEvents(tx: Queries, events: readonly LoggedEvent[]): Promise<void> {
  const columns = ['id', 'account_id', 'created_at', 'stream', 'type', 'model_id', 'list_id', 'actor', 'snapshot']
  await insertRows(
    tx,
    'events',
    columns,
    events.map((event) => [
      event.id,
      event.accountId,
      event.createdAt,
      event.stream,
      event.type,
      event.modelId,
      event.listId,
      JSON.stringify(event.actor),
      event.snapshot,
    ]),
  )
}
