import { ErrorCode, NatsError } from 'nats'
import { AppError } from '#shared/errors.ts'
import type { Logger } from '#shared/log/logger.ts'
import type { Connection } from './connection.ts'
import { decodeAnswer, encodeRequest } from './envelope.ts'
import { isAlive } from './liveness.ts'
import { type RequestSubject, responseSchemas } from './subjects.ts'

export type RequestOptions = { timeoutMs: number; requestId: string }
export type RequestClient = <T>(subject: RequestSubject, body: unknown, options: RequestOptions) => Promise<T>

const maxOpen = 1_000
const silenceMs = 500
const pingTimeoutMs = 400

/**
 * Sends requests to any process that answers the subject. The deadline is sent too, so that no process starts work for
 * which the requester no longer waits.
 * @throws AppError that the answering process threw; SERVICE_UNAVAILABLE immediately while NATS is away or no process
 * answers the subject, within a second when NATS has gone silent, and after `timeoutMs`
 */
export function createRequestClient(connection: Connection, log: Logger): RequestClient {
  let open = 0
  return async <T>(subject: RequestSubject, body: unknown, { timeoutMs, requestId }: RequestOptions) => {
    const nats = connection.current()
    if (!nats || open >= maxOpen) throw unavailable()
    open++
    const silence = watchForSilence(() => isAlive(nats, pingTimeoutMs))
    try {
      const envelope = encodeRequest({ requestId, deadline: Date.now() + timeoutMs, body })
      const answer = await Promise.race([nats.request(subject, envelope, { timeout: timeoutMs }), silence.noticed])
      return readAnswer<T>(subject, decodeAnswer(answer.string()), log)
    } catch (error) {
      throw isUnavailable(error) ? unavailable() : error
    } finally {
      silence.end()
      open--
    }
  }
}

/** `noticed` rejects when there is no answer for half a second and none to a ping either. */
function watchForSilence(alive: () => Promise<boolean>): { noticed: Promise<never>; end(): void } {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {})
  const timer = setTimeout(async () => {
    if (!(await alive())) reject(unavailable())
  }, silenceMs)
  return { noticed: promise, end: () => clearTimeout(timer) }
}

function readAnswer<T>(subject: RequestSubject, body: unknown, log: Logger): T {
  const { error, value } = responseSchemas[subject].validate(body)
  if (!error) return value as T
  log('bus.response_invalid', { subject, reason: error.details.map(({ path, type }) => `${path.join('.')}: ${type}`) })
  throw new AppError('INTERNAL_ERROR')
}

const unavailableCodes: ReadonlySet<string> = new Set([
  ErrorCode.Timeout,
  ErrorCode.NoResponders,
  ErrorCode.Disconnect,
  ErrorCode.ConnectionClosed,
  ErrorCode.ConnectionDraining,
  ErrorCode.Cancelled,
])

function isUnavailable(error: unknown): boolean {
  return error instanceof NatsError && unavailableCodes.has(error.code)
}

function unavailable(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
}
