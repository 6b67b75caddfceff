/** The event types a webhook may subscribe to (specification, "Event types"). */
export const itemEventTypes = ['item.created', 'item.updated', 'item.restored', 'item.deleted'] as const
export type ItemEventType = (typeof itemEventTypes)[number]

/** The event type of each of the event log's entries that webhooks may subscribe to. */
export const itemEventTypeOf = {
  'item-created': 'item.created',
  'item-updated': 'item.updated',
  'item-restored': 'item.restored',
  'item-deleted': 'item.deleted',
} as const satisfies Record<`item-${string}`, ItemEventType>

/** The event types of deliveries: those of items, and those that need no subscription. */
export const deliveryEventTypes = [...itemEventTypes, 'flow.emit', 'ping'] as const
