import { pageOf } from '#shared/data/in-memory-page.ts'
import type { Page, PageRequest } from '#shared/data/page.ts'
import { readWebhooks } from '#shared/data/webhooks/webhooks.ts'
import { caseFold } from '#shared/domain/text/case-fold.ts'
import { matchesText, type TextFilter } from '#shared/domain/text/filter.ts'
import type { Webhook } from '#shared/domain/webhook/fields.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { WebhookDeps } from './context.ts'

export type WebhookFilters = { description?: TextFilter; activated?: boolean }

/** The orders of webhooks, the default first, and the default direction of each (contract 1.3). */
export const webhookOrders = {
  createdAt: 'desc',
  updatedAt: 'desc',
  url: 'asc',
  description: 'asc',
  activated: 'desc',
  failureCount: 'asc',
  disabledAt: 'desc',
  disabledReason: 'asc',
  waitingCount: 'asc',
  missedCount: 'asc',
  lastDeliveryAt: 'desc',
} as const

export type WebhookOrder = keyof typeof webhookOrders

/** One page of the account's webhooks. */
export async function listWebhooks(
  deps: WebhookDeps,
  {
    principal,
    filters,
    request,
  }: { principal: UserPrincipal; filters: WebhookFilters; request: PageRequest & { order: WebhookOrder } },
): Promise<Page<Webhook>> {
  const webhooks = await readWebhooks(deps.db, principal.accountId)
  const found = webhooks.filter((webhook) => passes(webhook, filters))
  return pageOf(found, request, (webhook) => {
    const key = webhook[request.order]
    return typeof key === 'string' ? caseFold(key) : key
  })
}

function passes(webhook: Webhook, { description, activated }: WebhookFilters): boolean {
  if (description && !matchesText(description, webhook.description)) return false
  return activated === undefined || webhook.activated === activated
}
