import type { DeliveryFilters } from '#shared/data/deliveries/delivery-ranges.ts'
import { matchesText, type TextFilter } from '#shared/domain/text/filter.ts'
import type { AttemptError } from '#shared/domain/webhook/deliveries/delivery.ts'
import type { StatusRange } from '#shared/domain/webhook/deliveries/response-status.ts'
import { deliveryEventTypes } from '#shared/domain/webhook/event-types.ts'

/** The filters that lists of deliveries and redeliveries share. */
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

/** Converts the filters of a query to those of database reads. */
export function lookedUp({ event, ...others }: DeliveryQuery): DeliveryFilters {
  return { ...others, ...(event && { events: typesOf(event) }) }
}

/** There are few types, so they are matched here instead of in the rows. */
export function typesOf(filter: TextFilter): string[] {
  return deliveryEventTypes.filter((type) => matchesText(filter, type))
}
