import { readSettledSample } from '#shared/data/deliveries/settled-sample.ts'
import { findWebhook, type WebhookKey } from '#shared/data/webhooks/webhooks.ts'
import { statsOf, type WebhookStats } from '#shared/domain/webhook/deliveries/stats.ts'
import { AppError } from '#shared/errors.ts'
import type { DeliveryDeps } from './context.ts'

/** The outcomes of the newest 1,000 settled deliveries of a webhook. @throws REQUESTED_ENTITY_NOT_FOUND */
export async function getStats({ db }: DeliveryDeps, key: WebhookKey): Promise<WebhookStats> {
  if (!(await findWebhook(db, key))) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  const { settled, durations } = await readSettledSample(db.long, key.webhookId)
  return statsOf(settled, durations)
}
