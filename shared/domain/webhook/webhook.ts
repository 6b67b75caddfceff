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

/** A webhook as the code holds it, with the counters of its queue row. Times are epoch milliseconds. */
export type Webhook = {
  id: string
  accountId: string
  createdAt: number
  updatedAt: number
  url: string
  events: ItemEventType[]
  description: string
  /** Ids of lists; empty: all lists, later ones too. */
  listIds: string[]
  activated: boolean
  failureCount: number
  disabledAt: number | null
  disabledReason: string | null
  waitingCount: number
  missedCount: number
  lastDeliveryAt: number | null
}
