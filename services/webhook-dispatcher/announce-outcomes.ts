import type { Bus } from '#shared/bus/bus.ts'
import { createHintSender } from '#shared/bus/hint-sender.ts'
import type { Claim } from '#shared/data/dispatch/claims.ts'
import { isPing } from '#shared/domain/webhook/deliveries/ping.ts'

/** How often hints about the webhooks and deliveries of an account are sent at most. */
const everyMs = 1_000

/**
 * Announces to gateways what the dispatcher has written: the outcome of a ping at once, because one of them waits for it, and all else to
 * accounts with streams on one of them in hints.
 * @returns what is called with each claim whose outcome has been written and with each webhook of which the event log has a new entry, and
 *   what ends it
 */
export function announceOutcomes(bus: Pick<Bus, 'listen' | 'broadcast'>, instance: string) {
  const hints = createHintSender(bus, { subject: 'dispatcher.hints', instance, everyMs })
  return {
    settled({ accountId, webhookId, deliveryId, ...claim }: Claim): void {
      if (isPing(claim)) bus.broadcast('dispatcher.settled', { deliveryId })
      hints.note(accountId, [{ topic: 'deliveries', webhookId, ids: [deliveryId] }])
    },
    changed({ accountId, webhookId }: { accountId: string; webhookId: string }): void {
      hints.note(accountId, [{ topic: 'webhooks', ids: [webhookId] }])
    },
    close: hints.close,
  }
}
