import { type DeliveryKey, findDelivery } from '#shared/data/deliveries/deliveries.ts'
import { requeueDeliveries } from '#shared/data/deliveries/redeliveries.ts'
import { lockWebhook } from '#shared/data/webhooks/webhooks.ts'
import type { Delivery } from '#shared/domain/webhook/deliveries/delivery.ts'
import { assertRedeliverable } from '#shared/domain/webhook/deliveries/redelivery.ts'
import { AppError } from '#shared/errors.ts'
import type { DeliveryDeps } from './context.ts'

/**
 * Queues a settled delivery to be sent again: the same ids and bytes, eight fresh attempts (contract 2.7).
 * @throws REQUESTED_ENTITY_NOT_FOUND, VALIDATION_FAILED for a ping, DELIVERY_PENDING, WEBHOOK_BACKLOG_FULL
 */
export async function redeliver(deps: DeliveryDeps, key: DeliveryKey): Promise<Delivery> {
  const { maxWaiting } = deps.config.webhooks
  const delivery = await deps.db.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, key)
    const before = await findDelivery(tx, key)
    if (!webhook || !before) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
    assertRedeliverable(before, { waiting: webhook.waitingCount, maxWaiting })
    await requeueDeliveries(tx, webhook, [before])
    return findDelivery(tx, key)
  })
  if (!delivery) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  deps.bus.broadcast('dispatcher.wake', { webhookId: key.webhookId })
  return delivery
}
