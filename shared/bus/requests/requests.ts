import { newId } from '#shared/crypto/ids.ts'
import { AppError, unavailable } from '#shared/errors.ts'
import type { Logger } from '#shared/log/logger.ts'
import type { Connection } from '../connection.ts'
import { type RequestSubject, responseSchemas } from '../subjects.ts'
import { askUntilTaken } from './ask.ts'
import { decodeAnswer, encodeRequest } from './envelope.ts'

export type RequestOptions = { timeoutMs: number; requestId: string }
export type RequestClient = <T>(subject: RequestSubject, body: unknown, options: RequestOptions) => Promise<T>

const maxOpen = 1_000
const defaultPingTimeoutMs = 400

/**
 * Sends requests to any process that answers the subject. One that confirms neither that it has accepted the request nor that it
 * still works on it may have vanished: another is asked, with the same key. The deadline is sent too, so that no process starts work
 * for which the requester no longer waits.
 * @throws AppError that the answering process threw; SERVICE_UNAVAILABLE immediately while NATS is unreachable or no process answers
 * the subject, within a second when NATS has gone silent, and after `timeoutMs`
 * @param options.pingTimeoutMs how long NATS may take to answer a ping before it counts as silent
 */
export function createRequestClient(
  connection: Connection,
  options: { log: Logger; pingTimeoutMs?: number },
): RequestClient {
  const { log, pingTimeoutMs = defaultPingTimeoutMs } = options
  let open = 0
  return async <T>(subject: RequestSubject, body: unknown, { timeoutMs, requestId }: RequestOptions) => {
    const nats = connection.current()
    if (!nats) throw unavailable('NATS is not connected')
    if (open >= maxOpen) throw unavailable('too many requests to other services')
    open++
    try {
      const text = encodeRequest({ requestId, key: newId(), deadline: Date.now() + timeoutMs, body })
      const name = connection.names.subject(subject)
      const answer = await askUntilTaken(nats, { subject, name, text, timeoutMs, pingTimeoutMs })
      return readAnswer<T>(subject, decodeAnswer(answer), log)
    } finally {
      open--
    }
  }
}

function readAnswer<T>(subject: RequestSubject, body: unknown, log: Logger): T {
  const { error, value } = responseSchemas[subject].validate(body)
  if (!error) return value as T
  log('bus.response_invalid', { subject, reason: error.details.map(({ path, type }) => `${path.join('.')}: ${type}`) })
  throw new AppError('INTERNAL_ERROR')
}
