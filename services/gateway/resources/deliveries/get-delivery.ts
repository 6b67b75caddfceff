import { type DeliveryKey, findDelivery, findDeliveryContents } from '#shared/data/deliveries/deliveries.ts'
import type { Delivery, LoggedAttempt } from '#shared/domain/webhook/deliveries/delivery.ts'
import { AppError } from '#shared/errors.ts'
import type { DeliveryDeps } from './context.ts'

/** A delivery with its payload text and every attempt so far. @throws REQUESTED_ENTITY_NOT_FOUND */
export async function getDelivery(
  { db }: DeliveryDeps,
  key: DeliveryKey,
): Promise<{ delivery: Delivery; payload: string; log: LoggedAttempt[] }> {
  const delivery = await findDelivery(db, key)
  const contents = delivery && (await findDeliveryContents(db, delivery))
  if (!delivery || !contents) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  return { delivery, ...contents }
}
