import { createInbox, type Msg, type NatsConnection } from 'nats'
import type { Logger } from '#shared/log/logger.ts'
import { retryMs } from './back-off.ts'
import type { Connection } from './connection.ts'
import type { EventGroup } from './messages/events.ts'
import { ensureStream, eventsSubject } from './stream.ts'

export type Publisher = { publish(group: EventGroup): void }

const maxUnacknowledged = 64
const ackTimeoutMs = 5_000
const maxMessageBytes = 64 * 1024

/**
 * Publishes groups of event ids and never waits: while NATS is away or 64 messages are unacknowledged, a group is left to
 * the sweep of the outbox. The stream is created on every connection, and again when a publish finds it gone.
 */
export function createPublisher(connection: Connection, options: { replicas: number; log: Logger }): Publisher {
  /** Numbers of the messages that the stream has not acknowledged, oldest first, and when they were sent. */
  const unacknowledged = new Map<number, number>()
  let inbox = ''
  let count = 0

  connection.attach((nats) => {
    unacknowledged.clear()
    inbox = createInbox()
    const recreateStream = createStreamMaker(nats, options)
    nats.subscribe(`${inbox}.*`, {
      callback(error, message) {
        if (error) return
        unacknowledged.delete(Number(message.subject.slice(inbox.length + 1)))
        if (isRejection(message)) recreateStream()
      },
    })
    recreateStream()
  })

  function hasRoom(now: number): boolean {
    for (const [number, sentAt] of unacknowledged) {
      if (now - sentAt < ackTimeoutMs) break
      unacknowledged.delete(number)
    }
    return unacknowledged.size < maxUnacknowledged
  }

  return {
    publish(group) {
      const nats = connection.current()
      if (!nats || nats.isClosed()) return
      const now = performance.now()
      for (const text of messages(group)) {
        if (!hasRoom(now)) return
        unacknowledged.set(++count, now)
        nats.publish(eventsSubject, text, { reply: `${inbox}.${count}` })
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

/** A stream acknowledges with a sequence number; without a stream NATS answers 503. */
function isRejection(message: Msg): boolean {
  return message.headers?.code === 503 || message.string().includes('"error"')
}

/** Creates the stream, one call at a time, with a back-off while that fails. */
function createStreamMaker(nats: NatsConnection, { replicas, log }: { replicas: number; log: Logger }): () => void {
  let failures = 0
  let notBefore = 0
  return () => {
    if (performance.now() < notBefore) return
    notBefore = Number.POSITIVE_INFINITY
    ensureStream(nats, replicas)
      .then(() => {
        failures = 0
      })
      .catch((error) => {
        if (failures++ === 0 && !nats.isClosed()) log('stream.create_failed', { reason: String(error) })
      })
      .finally(() => {
        notBefore = performance.now() + retryMs(failures)
      })
  }
}
