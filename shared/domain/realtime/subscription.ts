import { eventTypes } from '../event-types.ts'

/** The types of changes that streams send. */
export const realtimeTypes = [...eventTypes.list, ...eventTypes.item] as const
export type RealtimeType = (typeof realtimeTypes)[number]

/** The most lists and items that one stream names. */
export const maxStreamLists = 100
export const maxStreamItems = 200

/** What a client wants to receive. */
export type Subscription = {
  types: ReadonlySet<string>
  /** Null: all of the account. */
  listIds: ReadonlySet<string> | null
  /** Null: all. Changes of the lists themselves and of their indexes always pass. */
  itemIds: ReadonlySet<string> | null
}

type Change = { type: string; listId: string; modelId: string }

/** Whether a change is in the lists and items of a subscription, whatever its type. */
export function concerns({ listIds, itemIds }: Subscription, { type, listId, modelId }: Change): boolean {
  if (listIds && !listIds.has(listId)) return false
  return !itemIds || !isOfItem(type) || itemIds.has(modelId)
}

/** Whether a type is subscribed to: that of the change, or the one under which it is sent to this client. */
export function asksFor({ types }: Subscription, type: string, sent: string): boolean {
  return types.has(type) || types.has(sent)
}

/** Whether a change is one of an item; others are those of a list itself, or of its indexes. */
export function isOfItem(type: string): boolean {
  return type.startsWith('item-')
}

/**
 * The type under which a change of an item is sent to a client that sees its states or not; null: it is not sent. One that is no
 * longer seen is sent as deleted, one that is seen again as what happened.
 * @param seen.before of a state that was not checked: whether it was seen does not matter then
 */
export function sentType(type: string, seen: { before: boolean; after: boolean }): string | null {
  if (seen.after) return type
  return seen.before && type !== 'item-created' && type !== 'item-deleted' ? 'item-deleted' : null
}
