import { isoTime } from '../../text/iso-time.ts'
import type { Delivery, LoggedAttempt } from './delivery.ts'

/** A delivery as the API shows it (contract 2.7). */
export function toDeliveryJson(delivery: Delivery) {
  return {
    id: delivery.id,
    createdAt: isoTime(delivery.createdAt),
    updatedAt: isoTime(delivery.updatedAt),
    webhookId: delivery.webhookId,
    eventId: delivery.eventId,
    event: delivery.event,
    listId: delivery.listId,
    itemId: delivery.itemId,
    status: delivery.status,
    attempts: delivery.attempts,
    nextAttemptAt: isoTimeOrNull(delivery.nextAttemptAt),
    lastAttemptAt: isoTimeOrNull(delivery.lastAttemptAt),
    completedAt: isoTimeOrNull(delivery.completedAt),
    response: delivery.response,
    error: delivery.error,
  }
}

/**
 * One delivery with its payload and attempt log, as JSON text: the payload is exactly the text that is sent, so that numbers,
 * key order and escapes are as the receiver sees them.
 */
export function serializeDelivery(
  delivery: Delivery,
  { payload, log }: { payload: string; log: LoggedAttempt[] },
): string {
  const head = JSON.stringify(toDeliveryJson(delivery)).slice(0, -1)
  return `${head},"payload":${payload},"attemptLog":${JSON.stringify(log.map(toAttemptJson))}}`
}

function toAttemptJson({ number, startedAt, durationMs, status, error, details }: LoggedAttempt) {
  const { phases = null, headers = null } = details ?? {}
  return { number, startedAt: isoTime(startedAt), durationMs, status, error, phases, headers }
}

const isoTimeOrNull = (time: number | null): string | null => (time === null ? null : isoTime(time))
