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

export const streamName = 'EVENTS'
export const eventsSubject = 'events.committed'
export const consumerName = 'fan-out'
/** What the stream may take of the store. */
export const maxStreamBytes = 64 * 1024 * 1024

const apiTimeoutMs = 2_000
const streamNameInUse = 10_058
const consumerExists = 10_148

/**
 * Creates the stream, or gives an existing one these limits. A sweep of the outbox finds every event that the stream
 * loses, so the stream is bounded and drops its oldest messages.
 */
export async function ensureStream(nats: NatsConnection, replicas: number): Promise<void> {
  const { streams } = await managerOf(nats)
  const config = {
    name: streamName,
    subjects: [eventsSubject],
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
    if (!hasCode(error, streamNameInUse)) throw error
    await streams.update(streamName, config)
  }
}

/** Creates the durable pull consumer that all dispatchers share; an existing one with other limits gets these. */
export async function ensureConsumer(nats: NatsConnection): Promise<void> {
  const { consumers } = await managerOf(nats)
  const limits = { ack_wait: nanos(30_000), max_ack_pending: 1_000 }
  const config = {
    durable_name: consumerName,
    deliver_policy: DeliverPolicy.All,
    ack_policy: AckPolicy.Explicit,
    ...limits,
  } satisfies Partial<ConsumerConfig>
  try {
    await consumers.add(streamName, config)
  } catch (error) {
    // Since 2.10 servers distinguish creating from updating.
    if (!hasCode(error, consumerExists)) throw error
    await consumers.update(streamName, consumerName, limits)
  }
}

/** How far the dispatchers' consumer is. @throws when it does not exist, or NATS does not answer */
export async function consumerInfo(nats: NatsConnection): Promise<ConsumerInfo> {
  return (await managerOf(nats)).consumers.info(streamName, consumerName)
}

/** Removes all messages; the stream and its consumer stay. */
export async function emptyStream(nats: NatsConnection): Promise<void> {
  await (await managerOf(nats)).streams.purge(streamName)
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof NatsError && error.api_error?.err_code === code
}

export function managerOf(nats: NatsConnection): Promise<JetStreamManager> {
  return nats.jetstreamManager({ checkAPI: false, timeout: apiTimeoutMs })
}
