import { eventTypes } from '../event-types.ts'

/** The types of changes that streams send. */
export const realtimeTypes = [...eventTypes.list, ...eventTypes.item] as const
export type RealtimeType = (typeof realtimeTypes)[number]

/** Maximum lists and items that one stream may name. */
export const maxStreamLists = 100
export const maxStreamItems = 200

/** What a client wants to receive. */
export type Subscription = {
  types: ReadonlySet<string>
  /** Null: all lists of the account. */
  listIds: ReadonlySet<string> | null
  /** Null: all items. Changes of the lists themselves and their indexes always pass. */
  itemIds: ReadonlySet<string> | null
}

type Change = { type: string; listId: string; modelId: string }

/** Whether a change is in the lists and items of a subscription, whatever its type. */
export function concerns({ listIds, itemIds }: Subscription, { type, listId, modelId }: Change): boolean {
  if (listIds && !listIds.has(listId)) return false
  return !itemIds || !isOfItem(type) || itemIds.has(modelId)
}

/** Whether the subscription includes the type of a change, or the type under which it is sent to this client. */
export function asksFor({ types }: Subscription, type: string, sent: string): boolean {
  return types.has(type) || types.has(sent)
}

/** Whether a change is of an item; otherwise it is of a list itself, or of its indexes. */
export function isOfItem(type: string): boolean {
  return type.startsWith('item-')
}

/**
 * The type under which a change of an item is sent to a client, by which states of the item it sees; null: not sent. An item that the
 * client no longer sees is sent as deleted; one that it sees again is sent with the type of the change.
 * @param seen.before whether the client saw the previous state; any value if that need not be checked
 */
export function sentType(type: string, seen: { before: boolean; after: boolean }): string | null {
  if (seen.after) return type
  return seen.before && type !== 'item-created' && type !== 'item-deleted' ? 'item-deleted' : null
}
