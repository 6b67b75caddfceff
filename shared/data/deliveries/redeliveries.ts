import { DUE_NEVER } from '#shared/domain/limits.ts'
import type { Delivery } from '#shared/domain/webhook/deliveries/delivery.ts'
import type { Webhook } from '#shared/domain/webhook/fields.ts'
import type { Transaction } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'

/**
 * Makes settled deliveries of one webhook pending again, due now, with a new series of attempts. Their ids, payloads and
 * total attempts stay. Those of a disabled webhook wait for its activation. The caller has locked the webhook.
 */
export async function requeueDeliveries(
  tx: Transaction,
  webhook: Pick<Webhook, 'id' | 'activated'>,
  deliveries: readonly Pick<Delivery, 'id' | 'status'>[],
): Promise<void> {
  if (deliveries.length === 0) return
  const now = await tx.now()
  const ids = deliveries.map(({ id }) => id)
  await tx.run(
    sql`update deliveries set status = 'pending', series_attempts = 0, next_attempt_at = ${now}, completed_at = null,
      updated_at = ${now} where ${inList('id', ids)}`,
  )
  const failed = deliveries.filter(({ status }) => status === 'failed').length
  const succeeded = deliveries.length - failed
  const due = webhook.activated ? now : DUE_NEVER
  await tx.run(
    sql`update webhook_queues set waiting = waiting + ${deliveries.length}, succeeded = succeeded - ${succeeded},
      failed = failed - ${failed},
      due_at = case when lease_owner is null and due_at > ${due} then ${due} else due_at end
      where webhook_id = ${webhook.id}`,
  )
}
