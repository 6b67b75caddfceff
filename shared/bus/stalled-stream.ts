import type { ConsumerInfo, ConsumerMessages, NatsConnection } from 'nats'
import type { Logger } from '#shared/log/logger.ts'
import { emptyStream, findConsumer } from './stream.ts'

const checkMs = 5_000

/**
 * Until `messages` closes, closes it when the consumer is gone, and empties the stream when it does not give the messages that
 * it has although they are pulled, which begins its files anew. They can be gone: nats-server 2.9 removes those of a deleted
 * stream late, and with them those of one that was created in the meantime. The sweep of the outbox finds the events.
 */
export function watchStream(nats: NatsConnection, messages: ConsumerMessages, log: Logger): void {
  let last: ConsumerInfo | null = null

  async function check(): Promise<void> {
    const info = await findConsumer(nats)
    const stalled = last !== null && info !== null && isStalled(last, info)
    last = info
    if (info === null) await messages.close()
    if (!stalled) return
    log('stream.stalled')
    await emptyStream(nats)
  }

  const timer = setInterval(() => void check().catch(() => {}), checkMs) // a failure shows in reading, too
  void messages.closed().then(() => clearInterval(timer))
}

/** Whether messages waited and were pulled at both times, and none was delivered. */
function isStalled(before: ConsumerInfo, now: ConsumerInfo): boolean {
  const isWaiting = (info: ConsumerInfo) => info.num_pending > 0 && info.num_waiting > 0
  const isSame = before.created === now.created && before.delivered.consumer_seq === now.delivered.consumer_seq
  return isSame && isWaiting(before) && isWaiting(now)
}
