import { pageOf } from '#shared/data/pages/in-memory-page.ts'
import type { Page, PageRequest } from '#shared/data/pages/page.ts'
import type { WebhookOrder } from '#shared/data/webhooks/columns.ts'
import { readWebhooks } from '#shared/data/webhooks/webhooks.ts'
import { type FiltersOf, matcher } from '#shared/domain/fields/filters.ts'
import { type Webhook, webhookFields } from '#shared/domain/webhook/fields.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { WebhookDeps } from './context.ts'

type WebhookListing = {
  principal: UserPrincipal
  filters: FiltersOf<typeof webhookFields>
  request: PageRequest & { order: WebhookOrder }
}

/** One page of the account's webhooks. @throws VALIDATION_FAILED */
export async function listWebhooks(
  { db }: Pick<WebhookDeps, 'db'>,
  { principal, filters, request }: WebhookListing,
): Promise<Page<Webhook>> {
  const webhooks = await readWebhooks(db, principal.accountId)
  return pageOf(webhooks.filter(matcher(webhookFields, filters)), request)
}
