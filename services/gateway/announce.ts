import type { Bus } from '#shared/bus/bus.ts'
import { type Announce, enqueuedEvents } from '#shared/data/events/committed.ts'

/** Tells others what this process has committed: rings the dispatchers' doorbell for events that wait in the outbox. */
export function announceOn({ publishEvents }: Pick<Bus, 'publishEvents'>): Announce {
  return (committed) => {
    const requestId = committed.find(({ outbox }) => outbox)?.outbox?.requestId
    if (requestId !== undefined) publishEvents({ requestId, eventIds: enqueuedEvents(committed) })
  }
}
