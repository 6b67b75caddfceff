import type { Delivery } from '#client/src/types/user-resources.ts'
import { deliveryEventTypes } from '#shared/domain/webhook/event-types.ts'
import { type Span, spans } from '../../parts/spans.ts'
import { type DeliveryError, errorWords } from './delivery-words.ts'

/** The filters of a page of deliveries in its address, by their names in the API. `since` is a span that ends now. */
export type DeliveryView = {
  status?: Delivery['status']
  event?: Delivery['event']
  responseStatus?: string
  error?: DeliveryError
  since?: Span
  itemId?: string
  eventId?: string
  webhookId?: string
}

const statuses: readonly Delivery['status'][] = ['pending', 'succeeded', 'failed']

/** Reads the filters from an address. Unknown values are ignored. */
export function readView(query: URLSearchParams): DeliveryView {
  const oneOf = <T extends string>(name: string, values: readonly T[]) =>
    values.find((value) => value === query.get(name))
  const text = (name: string, form: RegExp) => {
    const value = query.get(name) ?? ''
    return form.test(value) ? value : undefined
  }
  const view = {
    status: oneOf('status', statuses),
    event: oneOf('event', deliveryEventTypes),
    responseStatus: text('responseStatus', /^[1-5](xx|\d\d)$/),
    error: oneOf('error', Object.keys(errorWords) as DeliveryError[]),
    since: oneOf(
      'since',
      spans.map(([name]) => name),
    ),
    itemId: text('itemId', idForm),
    eventId: text('eventId', idForm),
    webhookId: text('webhookId', idForm),
  }
  return Object.fromEntries(Object.entries(view).filter(([, value]) => value !== undefined))
}

const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether any filter is set. */
export function isFiltered({ webhookId: _, ...conditions }: DeliveryView): boolean {
  return Object.keys(conditions).length > 0
}
