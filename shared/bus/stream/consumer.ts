import { ConsumerEvents, type ConsumerMessages, type NatsConnection } from 'nats'
import { pause, retryMs } from '../back-off.ts'
import type { Connection } from '../connection.ts'
import type { Names } from '../names.ts'
import { type BatchOptions, createBatches, maxWaiting } from './batches.ts'
import { watchStream } from './stalled-stream.ts'
import { consumerName, ensureConsumer, ensureStream, eventsSubject } from './stream.ts'

export type EventConsumer = { stop(): Promise<void> }

/** Pulls last long and heartbeats are rare, because losses are also detected elsewhere (`stalled-stream.ts`). */
const pull = {
  max_messages: maxWaiting,
  threshold_messages: maxWaiting / 4,
  expires: 60_000,
  idle_heartbeat: 30_000,
  abort_on_missing_resource: true,
} as const

/**
 * Receives events from the durable consumer that all dispatchers share. A pull is always open, so that a message arrives as soon as
 * the stream has it. Stream and consumer are created on every connection, and again when they are gone.
 */
export function createConsumer(
  connection: Connection,
  options: Omit<BatchOptions, 'giveBack'> & { replicas: number },
): EventConsumer {
  const { replicas, log } = options
  const { names } = connection
  const stopping = new AbortController()
  const batches = createBatches({
    ...options,
    giveBack({ data }) {
      const nats = connection.current()
      if (nats && !nats.isClosed()) nats.publish(names.subject(eventsSubject), data)
    },
  })

  async function consume(nats: NatsConnection): Promise<void> {
    let failures = 0
    while (!nats.isClosed() && !stopping.signal.aborted) {
      try {
        const messages = await pullMessages(nats, names, replicas)
        closeWhenOver(messages, nats, stopping.signal)
        watchStream(nats, messages, { stream: names.stream, log })
        failures = 0
        for await (const message of messages) await batches.add(message)
      } catch (error) {
        if (failures++ === 0 && !nats.isClosed()) log('stream.read_failed', { reason: String(error) })
      }
      await pause(retryMs(failures), stopping.signal)
    }
  }

  connection.attach((nats) => void consume(nats))
  return {
    async stop() {
      stopping.abort()
      await batches.stop()
    },
  }
}

async function pullMessages(nats: NatsConnection, names: Names, replicas: number): Promise<ConsumerMessages> {
  await ensureStream(nats, names, replicas)
  await ensureConsumer(nats, names)
  const consumer = await nats.jetstream().consumers.get(names.stream, consumerName)
  return consumer.consume(pull)
}

/** nats.js leaves the iteration open when its connection closes and long after missed heartbeats, so it is closed here. */
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
