import { isId } from '#shared/domain/id.ts'
import { AppError, type AppErrorOptions, isErrorName } from '#shared/errors.ts'
import { isObject } from '#shared/json/is-object.ts'

/**
 * A request with the id of the HTTP request that caused it, and its deadline in epoch milliseconds. `key`: an id that stays the same
 * each time it is sent, so that a process can detect a repeat; a requester of 0.2 sends none, and does not understand that its
 * request was accepted.
 */
export type RequestEnvelope = { requestId: string; key?: string; deadline: number; body: unknown }

export function encodeRequest(envelope: RequestEnvelope): string {
  return JSON.stringify(envelope)
}

/** null for a text that is not such a request. */
export function decodeRequest(text: string): RequestEnvelope | null {
  const value = parse(text)
  if (!isObject(value)) return null
  const { requestId, deadline, body, key } = value
  if (typeof requestId !== 'string' || typeof deadline !== 'number') return null
  return { requestId, deadline, body, ...(typeof key === 'string' && isId(key) && { key }) }
}

/** The message of a process that has accepted a request, sent at once and repeated while it works. */
export const taken = JSON.stringify({ taken: true })

export function encodeAnswer(body: unknown): string {
  return JSON.stringify({ body })
}

/** An AppError is sent completely; any other error is sent as INTERNAL_ERROR without details. */
export function encodeError(error: unknown): string {
  const { name, message, details, retryAfterSeconds, reason } =
    error instanceof AppError ? error : new AppError('INTERNAL_ERROR')
  return JSON.stringify({ error: { name, message, details, retryAfterSeconds, reason } })
}

/**
 * The body of an answer.
 * @throws AppError the one that was sent; INTERNAL_ERROR for a text that is not an answer
 */
export function decodeAnswer(text: string): unknown {
  const value = parse(text)
  if (!isObject(value)) throw new AppError('INTERNAL_ERROR')
  if (isObject(value.error)) throw decodeError(value.error)
  return value.body
}

function decodeError(error: Record<string, unknown>): AppError {
  // A newer process may use names that this one does not know.
  if (typeof error.name !== 'string' || !isErrorName(error.name)) return new AppError('INTERNAL_ERROR')
  const options: AppErrorOptions = {}
  if (typeof error.message === 'string') options.message = error.message
  if (isObject(error.details)) options.details = error.details
  if (typeof error.retryAfterSeconds === 'number') options.retryAfterSeconds = error.retryAfterSeconds
  if (typeof error.reason === 'string') options.reason = error.reason
  return new AppError(error.name, options)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
