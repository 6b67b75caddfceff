import type { Delivery } from '../../../../client/src/user-resources.ts'
import { deliveryEventTypes } from '../../../../shared/domain/webhook/event-types.ts'
import { type DeliveryError, errorWords } from './delivery-words.ts'

/** The conditions that a page of deliveries has in its address, by the names of the API; `since` is a span that ends now. */
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

/** How far back a page looks, in hours. */
export const spans = { '1h': 1, '24h': 24, '7d': 168 } as const
export type Span = keyof typeof spans

const statuses: readonly Delivery['status'][] = ['pending', 'succeeded', 'failed']

/** What an address asks for. What it says that is not understood is left out. */
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
    since: oneOf('since', Object.keys(spans) as Span[]),
    itemId: text('itemId', idForm),
    eventId: text('eventId', idForm),
    webhookId: text('webhookId', idForm),
  }
  return Object.fromEntries(Object.entries(view).filter(([, value]) => value !== undefined))
}

const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The earliest creation that a view shows, as an ISO time; undefined: there is none. @param now epoch milliseconds */
export function startOf({ since }: DeliveryView, now: number): string | undefined {
  return since && new Date(now - spans[since] * 3_600_000).toISOString()
}

/** Whether something is left out of all deliveries of a webhook, or of all webhooks. */
export function isFiltered({ webhookId: _, ...conditions }: DeliveryView): boolean {
  return Object.keys(conditions).length > 0
}
