import { follow, later, type StreamState } from './live/stream.ts'
import type { Send } from './transport.ts'
import type { Event, Item, List } from './types/resources.ts'

export { type Live, type LiveOptions, live } from './live/live.ts'
export type { StreamState } from './live/stream.ts'

type ItemChangeType = 'item-created' | 'item-updated' | 'item-restored' | 'item-deleted'
type ListChangeType = 'list-created' | 'list-updated' | 'list-deleted'

type AnyChange = {
  /** The same change may come twice, with the same id. */
  eventId: string
  listId: string
  createdAt: string
  /** Absent if the caller may not see events. */
  actor?: Event['actor']
}

/** A change of an item. */
export type ItemChange<Data = unknown> = AnyChange & {
  type: ItemChangeType
  itemId: string
  /** It rises with each change of the item. */
  revision: number
  /** The item after the change. For a deletion, the item before it, or only its id if the item is no longer visible to the client. */
  model: Item<Data> & { dataOmitted?: true }
}
/** A change of a list itself. */
export type ListChange = AnyChange & { type: ListChangeType; model: List }
export type Change<Data = unknown> = ItemChange<Data> | ListChange

type StateListener = { onState?: ((state: StreamState, error?: unknown) => void) | undefined }

export type SubscribeOptions<Data = unknown> = StateListener & {
  /** Names or ids of realtime lists, at most 100 in all of a client. */
  lists: readonly string[]
  onChange(change: Change<Data>): void
}

/** A subscription, which can be closed. */
export type Subscription = { close(): void }

/**
 * Reports every change of realtime lists and of their items. Between `connected` and `reset` none is missed, even if the connection is
 * lost. All subscriptions of a client share one stream.
 */
export function subscribe<Data = unknown>(
  { send }: { send: Send },
  { lists, onChange, onState }: SubscribeOptions<Data>,
): Subscription {
  return {
    close: follow(send, {
      names: lists,
      onFrame: later((type, data) => onChange({ type, ...data })),
      onState: later(onState),
    }),
  }
}
