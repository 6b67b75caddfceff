import type { ConsumerInfo, ConsumerMessages, NatsConnection } from 'nats'
import type { Logger } from '#shared/log/logger.ts'
import { emptyStream, findConsumer } from './stream.ts'

const checkMs = 5_000

/**
 * Until `messages` closes, closes it when the consumer is gone, or when messages wait and no pull is open: a pull is lost with the
 * member of a cluster that had it. Empties the stream when it does not deliver its messages although they are pulled, which creates
 * its files again. The files can be gone: nats-server 2.9 removes those of a deleted stream late, and with them those of one that was
 * created in the meantime. The sweep of the outbox finds the events.
 */
export function watchStream(
  nats: NatsConnection,
  messages: ConsumerMessages,
  { stream, log }: { stream: string; log: Logger },
): void {
  let last: ConsumerInfo | null = null

  async function check(): Promise<void> {
    const before = last
    last = await findConsumer(nats, stream)
    if (last === null) return close()
    if (before === null || !isStandingStill(before, last)) return
    if (!isPulled(last)) return close()
    log('stream.stalled')
    await emptyStream(nats, stream)
  }

  function close(): void {
    clearInterval(timer)
    void messages.close() // ends when the messages that were received have been handled
  }

  const timer = setInterval(() => void check().catch(() => {}), checkMs) // a failure shows in reading, too
  void messages.closed().then(() => clearInterval(timer))
}

/** Whether messages waited at both times, none was delivered, and they were pulled both times or neither. */
function isStandingStill(before: ConsumerInfo, now: ConsumerInfo): boolean {
  const isSame = before.created === now.created && before.delivered.consumer_seq === now.delivered.consumer_seq
  return isSame && before.num_pending > 0 && now.num_pending > 0 && isPulled(before) === isPulled(now)
}

function isPulled({ num_waiting }: ConsumerInfo): boolean {
  return num_waiting > 0
}
