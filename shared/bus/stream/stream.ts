import {
  AckPolicy,
  type ConsumerConfig,
  type ConsumerInfo,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamManager,
  type NatsConnection,
  NatsError,
  nanos,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from 'nats'
import type { Names } from '../names.ts'

/** The subject of the stream, under the installation's prefix. */
export const eventsSubject = 'events.committed'
export const consumerName = 'fan-out'
/** The maximum size of the stream. */
export const maxStreamBytes = 64 * 1024 * 1024

const apiTimeoutMs = 2_000
const streamNameInUse = 10_058

/**
 * Creates the stream, or gives an existing one these limits. A sweep of the outbox finds every event that the stream
 * loses, so the stream is bounded and drops its oldest messages.
 */
export async function ensureStream(nats: NatsConnection, names: Names, replicas: number): Promise<void> {
  const { streams } = await managerOf(nats)
  const config = {
    name: names.stream,
    subjects: [names.subject(eventsSubject)],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    max_msgs: -1,
    max_age: nanos(10 * 60_000),
    max_bytes: maxStreamBytes,
    num_replicas: replicas,
  } satisfies Partial<StreamConfig>
  try {
    await streams.add(config)
  } catch (error) {
    if (!isApiError(error) || error.api_error?.err_code !== streamNameInUse) throw error
    await streams.update(names.stream, config)
  }
}

/**
 * Creates the durable pull consumer that all dispatchers share; one that waits for acknowledgements is replaced. Messages are not
 * acknowledged: the sweep finds unhandled events sooner than NATS would redeliver them.
 */
export async function ensureConsumer(nats: NatsConnection, { stream }: Names): Promise<void> {
  const { consumers } = await managerOf(nats)
  const config = {
    durable_name: consumerName,
    deliver_policy: DeliverPolicy.All,
    ack_policy: AckPolicy.None,
  } satisfies Partial<ConsumerConfig>
  try {
    await consumers.add(stream, config)
  } catch (error) {
    const existing = isApiError(error) ? await findConsumer(nats, stream) : null
    if (!existing) throw error
    // Other processes may be using it, so it is deleted only for settings that cannot be changed.
    if (existing.config.ack_policy === AckPolicy.None) return
    await consumers.delete(stream, consumerName)
    await consumers.add(stream, config)
  }
}

/** The progress of the dispatchers' consumer; null: it does not exist. @throws when NATS does not answer */
export async function findConsumer(nats: NatsConnection, stream: string): Promise<ConsumerInfo | null> {
  const { consumers } = await managerOf(nats)
  return consumers.info(stream, consumerName).catch((error) => {
    if (isApiError(error) && error.api_error?.code === 404) return null
    throw error
  })
}

/** Removes all messages; the stream and its consumer stay. */
export async function emptyStream(nats: NatsConnection, stream: string): Promise<void> {
  await (await managerOf(nats)).streams.purge(stream)
}

/** Whether the error is an answer of JetStream itself. */
function isApiError(error: unknown): error is NatsError {
  return error instanceof NatsError && error.api_error !== undefined
}

export function managerOf(nats: NatsConnection): Promise<JetStreamManager> {
  return nats.jetstreamManager({ checkAPI: false, timeout: apiTimeoutMs })
}
