import type Joi from 'joi'
import type { Logger } from '#shared/log/logger.ts'
import { succeedsWithin } from '#shared/time/time-limit.ts'
import { type ConnectionSettings, openConnection } from './connection.ts'
import { isAlive } from './liveness.ts'
import type { EventGroup } from './messages/events.ts'
import { broadcast, listen } from './requests/broadcasts.ts'
import { createRequestClient, type RequestClient } from './requests/requests.ts'
import { createResponders, type Responders } from './requests/responders.ts'
import { answerSurvey, type SurveyEnd, survey } from './requests/surveys.ts'
import type { BatchOptions } from './stream/batches.ts'
import { createConsumer, type EventConsumer } from './stream/consumer.ts'
import { createPublisher } from './stream/publisher.ts'
import type { BroadcastSubject, SurveySubject } from './subjects.ts'

/**
 * The only access to NATS. The bus carries messages between processes; all state is in the database. While NATS is unreachable, publishing
 * and broadcasting do nothing and requests fail fast; subscriptions are restored with the connection.
 */
export type Bus = {
  connected(): boolean
  /** Runs the function now, if connected, and on every later connection. */
  onConnected(run: () => void): void
  /** Fire and forget: one message per group, skipped while NATS is unreachable or has not accepted the last 64 messages. */
  publishEvents(group: EventGroup): void
  /** Receives events from the durable consumer that all dispatchers share, and calls `handle` again when it rejects. */
  consumeEvents(handle: BatchOptions['handle'], options?: { maxEventIds?: number }): Promise<EventConsumer>
  request: RequestClient
  respond: Responders['respond']
  broadcast(subject: BroadcastSubject, body: unknown): void
  /** Waits until NATS has what was broadcast. @returns false while NATS is unreachable */
  flushed(): Promise<boolean>
  listen<B>(subject: BroadcastSubject, handle: (body: B) => void): void
  /** Queries every process. @throws SERVICE_UNAVAILABLE while NATS is unreachable */
  survey<A>(subject: SurveySubject, body: unknown, until: SurveyEnd<A>): Promise<A[]>
  answerSurvey<B>(subject: SurveySubject, responder: { schema: Joi.ObjectSchema<B>; answer(body: B): unknown }): void
  /** Waits for requests and events in flight, then closes the connection. */
  close(): Promise<void>
}

export type BusOptions = ConnectionSettings & {
  /** Copies of the stream in a cluster. */
  replicas: number
  log: Logger
  /** How long NATS may take to answer a ping before open requests fail. */
  pingTimeoutMs?: number
}

const defaultEventIds = 500
const longestCloseMs = 5_000
const longestFlushMs = 5_000

/** Resolves within a second even while NATS is unreachable, and connects as soon as NATS is back. */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const { replicas, log, pingTimeoutMs, ...settings } = options
  const connection = await openConnection(settings, log)
  const publisher = createPublisher(connection, { replicas, log })
  const responders = createResponders(connection, log)
  const consumers: EventConsumer[] = []

  async function stopWork(): Promise<void> {
    await Promise.all([responders.stop(), ...consumers.map((consumer) => consumer.stop())])
  }

  return {
    connected: () => connection.current() !== null,
    onConnected: (run) => connection.attach(run),
    publishEvents: publisher.publish,
    async consumeEvents(handle, { maxEventIds = defaultEventIds } = {}) {
      const consumer = createConsumer(connection, { replicas, log, handle, maxEventIds })
      consumers.push(consumer)
      return consumer
    },
    request: createRequestClient(connection, { log, ...(pingTimeoutMs !== undefined && { pingTimeoutMs }) }),
    respond: responders.respond,
    broadcast: (subject, body) => broadcast(connection, subject, body),
    async flushed() {
      const nats = connection.current()
      return nats !== null && isAlive(nats, longestFlushMs)
    },
    listen: (subject, handle) => listen(connection, { subject, log, handle }),
    survey: (subject, body, until) => survey(connection, { subject, body, ...until }),
    answerSurvey: (subject, responder) => answerSurvey(connection, { subject, log, ...responder }),
    async close() {
      await succeedsWithin(stopWork(), longestCloseMs)
      await connection.close()
    },
  }
}
