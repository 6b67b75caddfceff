import type { Delivery } from '#client/src/manage.ts'

/** The filters of deliveries as options of a command. */
export type DeliveryFilterOptions = {
  event?: string
  item?: string
  error?: NonNullable<Delivery['error']>
  responseStatus?: string
  startAt?: string
  endAt?: string
}

/** The same filters under the names of the API, in a query or a body. */
export function deliveryFilters({ event, item, error, responseStatus, startAt, endAt }: DeliveryFilterOptions) {
  return {
    ...(event !== undefined && { event }),
    ...(item !== undefined && { itemId: item }),
    ...(error !== undefined && { error }),
    ...(responseStatus !== undefined && { responseStatus }),
    ...(startAt !== undefined && { startAt }),
    ...(endAt !== undefined && { endAt }),
  }
}
