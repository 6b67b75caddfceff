import type { Bus } from '#shared/bus/bus.ts'
import { createHintSender } from '#shared/bus/hint-sender.ts'
import type { Claim } from '#shared/data/dispatch/claims.ts'
import { isPing } from '#shared/domain/webhook/deliveries/ping.ts'

/** The shortest time between two hints about the webhooks and deliveries of an account. */
const everyMs = 1_000

/**
 * Announces to gateways what the dispatcher has written: the outcome of a ping at once, because a gateway waits for it, and everything else to
 * accounts with streams on one of them in hints.
 * @returns a function to call with each claim whose outcome was written, one to call with each webhook that has a new entry in the event log, and
 *   one that ends the announcements
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
