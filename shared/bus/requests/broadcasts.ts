import type { Logger } from '#shared/log/logger.ts'
import type { Connection } from '../connection.ts'
import { type BroadcastSubject, broadcasts } from '../subjects.ts'

/** Sends to every process that listens; while NATS is unreachable the message is lost. */
export function broadcast(connection: Connection, subject: BroadcastSubject, body: unknown): void {
  const nats = connection.current()
  if (nats && !nats.isClosed()) nats.publish(connection.names.subject(subject), JSON.stringify(body))
}

/** Runs `handle` for every broadcast of the subject, including those of this process. */
export function listen<B>(
  connection: Connection,
  options: { subject: BroadcastSubject; log: Logger; handle(body: B): void },
): void {
  const { subject, log, handle } = options
  connection.attach((nats) => {
    nats.subscribe(connection.names.subject(subject), {
      callback(error, message) {
        if (error) return
        try {
          handle(decode<B>(subject, message.string()))
        } catch (failure) {
          log('bus.broadcast_failed', { err: failure, subject })
        }
      },
    })
  })
}

function decode<B>(subject: BroadcastSubject, text: string): B {
  const { error, value } = broadcasts[subject].validate(JSON.parse(text), { convert: false })
  if (error) throw new Error(`an invalid broadcast: ${error.details.map(({ type }) => type)}`)
  return value as B
}
