import type { Bus } from '#shared/bus/bus.ts'
import { createHintQueue } from '#shared/bus/hint-queue.ts'
import type { GatewayStreams } from '#shared/bus/messages/gateway.ts'
import type { Claim } from '#shared/data/dispatch/claims.ts'
import { createStreamsElsewhere } from '#shared/domain/realtime/streams-elsewhere.ts'
import { isPing } from '#shared/domain/webhook/deliveries/ping.ts'

/** How often hints about the deliveries of an account are sent at most. */
const everyMs = 1_000

/**
 * Announces the outcomes of attempts to gateways: that of a ping at once, because one of them waits for it, and those of accounts
 * with streams on one of them in hints.
 * @returns what is called with each claim whose outcome has been written, and what ends it
 */
export function announceOutcomes(bus: Pick<Bus, 'listen' | 'broadcast'>, instance: string) {
  const streams = createStreamsElsewhere({ instance, now: () => performance.now() })
  const queue = createHintQueue(everyMs, (message) => bus.broadcast('dispatcher.hints', message))
  bus.listen<GatewayStreams>('gateway.streams', streams.hear)
  return {
    settled(claim: Claim): void {
      const { accountId, webhookId, deliveryId } = claim
      if (isPing(claim)) bus.broadcast('dispatcher.settled', { deliveryId })
      if (streams.count(accountId) > 0) queue.add(accountId, [{ topic: 'deliveries', webhookId, ids: [deliveryId] }])
    },
    close: queue.close,
  }
}
