import { isoTime } from '../text/iso-time.ts'
import type { Webhook } from './webhook.ts'

/** A webhook on the wire and in the event log (contract 2.7), always without its secret. */
export function toWebhookJson(webhook: Webhook) {
  const { id, url, events, description, listIds, activated } = webhook
  return {
    id,
    createdAt: isoTime(webhook.createdAt),
    updatedAt: isoTime(webhook.updatedAt),
    url,
    events,
    description,
    listIds,
    activated,
    failureCount: webhook.failureCount,
    disabledAt: webhook.disabledAt === null ? null : isoTime(webhook.disabledAt),
    disabledReason: webhook.disabledReason,
    waitingCount: webhook.waitingCount,
    missedCount: webhook.missedCount,
    lastDeliveryAt: webhook.lastDeliveryAt === null ? null : isoTime(webhook.lastDeliveryAt),
  }
}
