import { createInbox, type Msg, type NatsConnection } from 'nats'
import type { Logger } from '#shared/log/logger.ts'
import { backOffMs } from './back-off.ts'
import type { Connection } from './connection.ts'
import type { EventGroup } from './messages/events.ts'
import { ensureStream, eventsSubject } from './stream.ts'

export type Publisher = { publish(group: EventGroup): void }

const maxUnanswered = 64
const answerMs = 5_000
const maxMessageBytes = 64 * 1024

/**
 * Publishes groups of event ids and never waits: while NATS is away, or 64 messages are unanswered, a group is left to
 * the sweep of the outbox. The stream is made on every connection, and again when a publish finds it gone.
 */
export function createPublisher(connection: Connection, options: { replicas: number; log: Logger }): Publisher {
  /** Numbers of the messages that the stream has not answered, oldest first, and when they were sent. */
  const unanswered = new Map<number, number>()
  let inbox = ''
  let count = 0

  connection.attach((nats) => {
    unanswered.clear()
    inbox = createInbox()
    const makeStream = createStreamMaker(nats, options)
    nats.subscribe(`${inbox}.*`, {
      callback(error, message) {
        if (error) return
        unanswered.delete(Number(message.subject.slice(inbox.length + 1)))
        if (isRefusal(message)) makeStream()
      },
    })
    makeStream()
  })

  function hasRoom(now: number): boolean {
    for (const [number, sentAt] of unanswered) {
      if (now - sentAt < answerMs) break
      unanswered.delete(number)
    }
    return unanswered.size < maxUnanswered
  }

  return {
    publish(group) {
      const nats = connection.current()
      if (!nats || nats.isClosed()) return
      const now = performance.now()
      for (const text of messages(group)) {
        if (!hasRoom(now)) return
        unanswered.set(++count, now)
        nats.publish(eventsSubject, text, { reply: `${inbox}.${count}` })
      }
    },
  }
}

/** The group as messages of at most 64 KiB each. */
export function messages({ requestId, eventIds }: EventGroup): string[] {
  const frame = JSON.stringify({ requestId, eventIds: [] })
  const room = maxMessageBytes - Buffer.byteLength(frame)
  const idBytes = Math.max(...eventIds.map((id) => Buffer.byteLength(id))) + '"",'.length
  const perMessage = Math.max(1, Math.floor(room / idBytes))
  const texts: string[] = []
  for (let start = 0; start < eventIds.length; start += perMessage) {
    texts.push(JSON.stringify({ requestId, eventIds: eventIds.slice(start, start + perMessage) }))
  }
  return texts
}

/** The stream answers with its sequence number; no stream (503) and an error of the stream do not. */
function isRefusal(message: Msg): boolean {
  return message.headers?.code === 503 || message.string().includes('"error"')
}

/** Makes the stream, one call at a time and, while that does not help, ever more seldom. */
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
        notBefore = performance.now() + backOffMs(failures, Math.random())
      })
  }
}
