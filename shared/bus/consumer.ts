import { ConsumerEvents, type ConsumerMessages, type NatsConnection } from 'nats'
import type { Logger } from '#shared/log/logger.ts'
import { backOffMs } from './back-off.ts'
import { type Batches, maxHeld } from './batches.ts'
import type { Connection } from './connection.ts'
import { consumerName, ensureConsumer, ensureStream, streamName } from './stream.ts'
import { pause } from './waits.ts'

export type EventConsumer = { stop(): Promise<void> }

const pull = { max_messages: maxHeld, expires: 10_000, idle_heartbeat: 2_000, abort_on_missing_resource: true } as const

/**
 * Takes events from the durable consumer that all dispatchers share, with a standing pull, so that a message is here as
 * soon as the stream has it. Stream and consumer are made on every connection and again when they are gone.
 */
export function createConsumer(
  connection: Connection,
  options: { replicas: number; log: Logger; batches: Batches },
): EventConsumer {
  const { replicas, log, batches } = options
  const stopping = new AbortController()

  async function take(nats: NatsConnection): Promise<void> {
    let failures = 0
    while (!nats.isClosed() && !stopping.signal.aborted) {
      try {
        const messages = await pullMessages(nats, replicas)
        closeWhenOver(messages, nats, stopping.signal)
        failures = 0
        for await (const message of messages) await batches.add(message)
      } catch (error) {
        if (failures++ === 0 && !nats.isClosed()) log('stream.read_failed', { reason: String(error) })
      }
      await pause(backOffMs(failures, Math.random()), stopping.signal)
    }
  }

  connection.attach((nats) => void take(nats))
  return {
    async stop() {
      stopping.abort()
      await batches.stop()
    },
  }
}

async function pullMessages(nats: NatsConnection, replicas: number): Promise<ConsumerMessages> {
  await ensureStream(nats, replicas)
  await ensureConsumer(nats)
  const consumer = await nats.jetstream().consumers.get(streamName, consumerName)
  return consumer.consume(pull)
}

/** nats.js leaves the iteration open when its connection closes, and waits long after missed heartbeats: ended here. */
function closeWhenOver(messages: ConsumerMessages, nats: NatsConnection, stopping: AbortSignal): void {
  const close = () => void messages.close()
  if (stopping.aborted) close()
  stopping.addEventListener('abort', close, { once: true })
  void nats.closed().then(close)
  void messages.closed().then(() => stopping.removeEventListener('abort', close))
  void messages.status().then(async (statuses) => {
    for await (const { type } of statuses) if (type === ConsumerEvents.HeartbeatsMissed) close()
  })
}
