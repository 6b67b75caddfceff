import type { DeliveryFilters } from '#shared/data/deliveries/delivery-ranges.ts'
import { isId } from '#shared/domain/id.ts'
import { matchesText, type TextFilter } from '#shared/domain/text/filter.ts'
import type { AttemptError } from '#shared/domain/webhook/delivery.ts'
import { deliveryEventTypes } from '#shared/domain/webhook/event-types.ts'
import type { StatusRange } from '#shared/domain/webhook/response-status.ts'

/** The filters that lists of deliveries and redeliveries have in common. */
export type DeliveryQuery = {
  event?: TextFilter
  listId?: string
  itemId?: string
  eventId?: string
  responseStatus?: StatusRange
  error?: AttemptError
  /** The earliest and the latest creation, in epoch milliseconds. */
  startAt?: number
  endAt?: number
}

/** No row has it. Databases are only asked for ids, because they may reject other texts. */
const noId = ''

/** Filters as they are looked up. */
export function lookedUp({ event, listId, itemId, eventId, ...others }: DeliveryQuery): DeliveryFilters {
  const idOf = (text: string) => (isId(text) ? text : noId)
  return {
    ...others,
    ...(event && { events: typesOf(event) }),
    ...(listId !== undefined && { listId: idOf(listId) }),
    ...(itemId !== undefined && { itemId: idOf(itemId) }),
    ...(eventId !== undefined && { eventId: idOf(eventId) }),
  }
}

/** There are few types, so they are matched here and not in the rows. */
export function typesOf(filter: TextFilter): string[] {
  return deliveryEventTypes.filter((type) => matchesText(filter, type))
}
