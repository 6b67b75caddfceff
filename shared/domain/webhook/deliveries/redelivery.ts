import { AppError, validationFailed } from '#shared/errors.ts'
import type { Delivery, DeliveryStatus } from './delivery.ts'
import { isPing } from './ping.ts'

/**
 * Rejects a delivery that cannot be sent again (contract 2.7): a ping, a pending delivery, and any delivery while the webhook's
 * queue is full.
 * @throws VALIDATION_FAILED, DELIVERY_PENDING, WEBHOOK_BACKLOG_FULL
 */
export function assertRedeliverable(
  delivery: Pick<Delivery, 'event' | 'status'>,
  { waiting, maxWaiting }: { waiting: number; maxWaiting: number },
): void {
  if (isPing(delivery)) {
    throw validationFailed([{ path: 'delivery', message: 'A ping cannot be sent again; send another one.' }])
  }
  if (delivery.status === 'pending') throw new AppError('DELIVERY_PENDING')
  if (waiting >= maxWaiting) throw new AppError('WEBHOOK_BACKLOG_FULL', { details: { max: maxWaiting } })
}

/** The statuses that a bulk redelivery can select. */
export const settledStatuses = ['failed', 'settled'] as const
export type SettledStatus = (typeof settledStatuses)[number]

export function statusesOf(status: SettledStatus): DeliveryStatus[] {
  return status === 'failed' ? ['failed'] : ['succeeded', 'failed']
}
