import type { NatsConnection } from 'nats'
import type { Logger } from '#shared/log/logger.ts'
import type { Connection } from '../connection.ts'
import type { EventGroup } from '../messages/events.ts'
import { ensureStream, eventsSubject } from './stream.ts'

export type Publisher = { publish(group: EventGroup): void }

const maxUnanswered = 64
/** The number of messages per ping: an answer to each message would be half of the gateway's work for NATS. */
const messagesPerPing = 16
const maxMessageBytes = 64 * 1024

/**
 * Publishes groups of event ids and never waits: while NATS is unreachable, or has accepted none of the last 64 messages, a group is
 * left to the sweep of the outbox. The stream is created on every connection; while it is gone, dispatchers create it again.
 */
export function createPublisher(connection: Connection, options: { replicas: number; log: Logger }): Publisher {
  const { names } = connection
  /** The number of messages sent on this connection, and the number of these before the last answered ping. */
  let sent = 0
  let taken = 0

  connection.attach((nats) => {
    sent = 0
    taken = 0
    ensureStream(nats, names, options.replicas).catch((error) => {
      if (!nats.isClosed()) options.log('stream.create_failed', { reason: String(error) })
    })
  })

  function ping(nats: NatsConnection, count: number): void {
    const answered = () => {
      if (nats === connection.current()) taken = Math.max(taken, count)
    }
    nats.flush().then(answered, () => {})
  }

  return {
    publish(group) {
      const nats = connection.current()
      if (!nats || nats.isClosed()) return
      for (const text of messages(group)) {
        if (sent - taken >= maxUnanswered) return
        nats.publish(names.subject(eventsSubject), text)
        if (++sent % messagesPerPing === 0) ping(nats, sent)
      }
    },
  }
}

/** The group as messages of at most 64 KiB each. */
export function messages({ requestId, eventIds }: EventGroup): string[] {
  const envelope = JSON.stringify({ requestId, eventIds: [] })
  const room = maxMessageBytes - Buffer.byteLength(envelope)
  const idBytes = Math.max(...eventIds.map((id) => Buffer.byteLength(id))) + '"",'.length
  const perMessage = Math.max(1, Math.floor(room / idBytes))
  const texts: string[] = []
  for (let start = 0; start < eventIds.length; start += perMessage) {
    texts.push(JSON.stringify({ requestId, eventIds: eventIds.slice(start, start + perMessage) }))
  }
  return texts
}
