import type { Bus } from '#shared/bus/bus.ts'
import type { RealtimeCommitted } from '#shared/bus/messages/gateway.ts'
import { type Announce, enqueuedEvents } from '#shared/data/events/committed.ts'

/**
 * Announces what this process has committed: rings the dispatchers' doorbell for events that wait in the outbox, and that of the
 * gateways, this one included, for events of streams.
 * @param hint notifies those that look at lists, here and on other gateways
 * @param ring reads the events for an account's streams on this gateway
 */
export function announceOn(
  { publishEvents, broadcast }: Pick<Bus, 'publishEvents' | 'broadcast'>,
  { ring, hint }: { ring(accountId: string): void; hint: Announce },
): Announce {
  return (committed) => {
    hint(committed)
    const requestId = committed.find(({ outbox }) => outbox)?.outbox?.requestId
    if (requestId !== undefined) publishEvents({ requestId, eventIds: enqueuedEvents(committed) })
    const accountIds = [...new Set(committed.flatMap(({ realtime, accountId }) => (realtime ? [accountId] : [])))]
    if (accountIds.length === 0) return
    // While NATS is unreachable, this gateway still receives its own messages.
    for (const accountId of accountIds) ring(accountId)
    broadcast('gateway.realtime', { accountIds } satisfies RealtimeCommitted)
  }
}
