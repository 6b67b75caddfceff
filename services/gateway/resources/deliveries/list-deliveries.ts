import { type DeliveryFilters, readDeliveryPage } from '#shared/data/deliveries/deliveries.ts'
import type { Page, PageRequest } from '#shared/data/pages/page.ts'
import type { WebhookKey } from '#shared/data/webhooks/webhooks.ts'
import { isId } from '#shared/domain/id.ts'
import { matchesText, type TextFilter } from '#shared/domain/text/filter.ts'
import type { Delivery, DeliveryStatus } from '#shared/domain/webhook/delivery.ts'
import { deliveryEventTypes } from '#shared/domain/webhook/event-types.ts'
import { AppError } from '#shared/errors.ts'
import type { DeliveryDeps } from './context.ts'

export type DeliveryQuery = { status?: DeliveryStatus; event?: TextFilter; itemId?: string }

/** One page of a webhook's deliveries. @throws REQUESTED_ENTITY_NOT_FOUND, VALIDATION_FAILED for a cursor of another query */
export async function listDeliveries(
  deps: DeliveryDeps,
  key: WebhookKey,
  { filters, request }: { filters: DeliveryQuery; request: PageRequest },
): Promise<Page<Delivery>> {
  const { status, event, itemId } = filters
  const read: DeliveryFilters = {
    ...(status && { status }),
    ...(event && { events: typesOf(event) }),
    ...(itemId !== undefined && { itemId: isId(itemId) ? itemId : noId }),
  }
  const page = await readDeliveryPage(deps.db.long, key, { filters: read, request })
  if (!page) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  return page
}

/** No item has it. Databases are only asked for ids, because they may reject other texts. */
const noId = ''

/** There are few types, so they are matched here and not in the rows. */
function typesOf(filter: TextFilter): string[] {
  return deliveryEventTypes.filter((type) => matchesText(filter, type))
}
