import { type DeliveryCounts, readDeliveryCounts, readDeliveryPage } from '#shared/data/deliveries/delivery-page.ts'
import type { Page, PageRequest } from '#shared/data/pages/page.ts'
import type { WebhookKey } from '#shared/data/webhooks/webhooks.ts'
import type { Delivery, DeliveryStatus } from '#shared/domain/webhook/deliveries/delivery.ts'
import { AppError } from '#shared/errors.ts'
import type { DeliveryDeps } from './context.ts'
import { type DeliveryQuery, lookedUp } from './delivery-filters.ts'

export type ListedQuery = DeliveryQuery & { status?: DeliveryStatus }
export type AllListedQuery = ListedQuery & { webhookId?: string }

/**
 * One page of a webhook's deliveries.
 * @throws REQUESTED_ENTITY_NOT_FOUND, VALIDATION_FAILED for a cursor of another query, QUESTION_TOO_BROAD
 */
export async function listDeliveries(
  deps: DeliveryDeps,
  key: WebhookKey,
  query: { filters: ListedQuery; request: PageRequest },
): Promise<Page<Delivery>> {
  const counts = await readDeliveryCounts(deps.db, key)
  if (counts.length === 0) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  return readPage(deps, counts, query)
}

/**
 * One page of the deliveries of all webhooks of an account, or of one.
 * @throws VALIDATION_FAILED for a cursor of another query, QUESTION_TOO_BROAD
 */
export async function listAllDeliveries(
  deps: DeliveryDeps,
  accountId: string,
  { filters, request }: { filters: AllListedQuery; request: PageRequest },
): Promise<Page<Delivery>> {
  const { webhookId, ...others } = filters
  const counts = await readDeliveryCounts(deps.db, { accountId })
  const wanted = webhookId === undefined ? counts : counts.filter((each) => each.webhookId === webhookId)
  return readPage(deps, wanted, { filters: others, request })
}

function readPage(
  { db }: DeliveryDeps,
  counts: readonly DeliveryCounts[],
  { filters: { status, ...others }, request }: { filters: ListedQuery; request: PageRequest },
): Promise<Page<Delivery>> {
  const filters = { ...lookedUp(others), ...(status && { statuses: [status] }) }
  return readDeliveryPage(db.long, { counts, filters, request })
}
