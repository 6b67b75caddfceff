import type { Hint } from '#shared/domain/realtime/hints.ts'
import { createStreamsElsewhere } from '#shared/domain/realtime/streams-elsewhere.ts'
import type { Bus } from './bus.ts'
import { createHintQueue } from './hint-queue.ts'
import type { GatewayStreams } from './messages/gateway.ts'

/** Sends hints from a process that has no streams itself. */
export type HintSender = {
  /** Returns at once. Hints for accounts without streams are dropped. */
  note(accountId: string, hints: readonly Hint[]): void
  close(): void
}

/** @param options.everyMs the minimum interval between messages of an account */
export function createHintSender(
  bus: Pick<Bus, 'listen' | 'broadcast'>,
  options: { subject: 'dispatcher.hints' | 'identity.hints'; instance: string; everyMs: number },
): HintSender {
  const streams = createStreamsElsewhere({ instance: options.instance, now: () => performance.now() })
  const queue = createHintQueue(options.everyMs, (message) => bus.broadcast(options.subject, message))
  bus.listen<GatewayStreams>('gateway.streams', streams.hear)
  return {
    note(accountId, hints) {
      if (streams.count(accountId) > 0) queue.add(accountId, hints)
    },
    close: queue.close,
  }
}
