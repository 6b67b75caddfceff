import type { Bus } from '#shared/bus/bus.ts'
import type { RealtimeCommitted } from '#shared/bus/messages/gateway.ts'
import { type Announce, enqueuedEvents } from '#shared/data/events/committed.ts'

/**
 * Announces commits of this process: wakes dispatchers if events wait in the outbox, and gateways, including this one, if live streams
 * have events to read.
 * @param hint notifies live streams of changed resources, here and on other gateways
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
