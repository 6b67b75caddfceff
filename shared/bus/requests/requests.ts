import { ErrorCode, type NatsConnection, NatsError } from 'nats'
import { AppError, unavailable } from '#shared/errors.ts'
import type { Logger } from '#shared/log/logger.ts'
import { withTimeLimit } from '#shared/time/time-limit.ts'
import type { Connection } from '../connection.ts'
import { isAlive } from '../liveness.ts'
import { type RequestSubject, responseSchemas } from '../subjects.ts'
import { decodeAnswer, encodeRequest } from './envelope.ts'

export type RequestOptions = { timeoutMs: number; requestId: string }
export type RequestClient = <T>(subject: RequestSubject, body: unknown, options: RequestOptions) => Promise<T>

const maxOpen = 1_000
const silenceMs = 500
const defaultPingTimeoutMs = 400

/**
 * Sends requests to any process that answers the subject. The deadline is sent too, so that no process starts work for
 * which the requester no longer waits.
 * @throws AppError that the answering process threw; SERVICE_UNAVAILABLE immediately while NATS is away or no process
 * answers the subject, within a second when NATS has gone silent, and after `timeoutMs`
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
    if (!nats) throw unavailable('NATS is away')
    if (open >= maxOpen) throw unavailable('too many requests to other services')
    open++
    try {
      const envelope = encodeRequest({ requestId, deadline: Date.now() + timeoutMs, body })
      const answer = await unlessSilent(
        nats.request(connection.names.subject(subject), envelope, { timeout: timeoutMs }),
        {
          nats,
          pingTimeoutMs,
        },
      )
      return readAnswer<T>(subject, decodeAnswer(answer.string()), log)
    } catch (error) {
      throw isUnavailable(error) ? unavailable(reasonOf(subject, error)) : error
    } finally {
      open--
    }
  }
}

/** The answer. @throws SERVICE_UNAVAILABLE when there is none for half a second, and then none to a ping either */
function unlessSilent<T>(
  answer: Promise<T>,
  { nats, pingTimeoutMs }: { nats: NatsConnection; pingTimeoutMs: number },
): Promise<T> {
  const answerIfAlive = async () => {
    if (!(await isAlive(nats, pingTimeoutMs))) throw unavailable('NATS is silent')
    return answer
  }
  return withTimeLimit(answer, silenceMs, () => Promise.race([answer, answerIfAlive()]))
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

function isUnavailable(error: unknown): error is NatsError {
  return error instanceof NatsError && unavailableCodes.has(error.code)
}

function reasonOf(subject: RequestSubject, { code }: NatsError): string {
  if (code === ErrorCode.NoResponders) return `no process answers ${subject}`
  return code === ErrorCode.Timeout ? `no answer to ${subject} in time` : 'the connection to NATS ended'
}
