import { AppError, type AppErrorOptions, isErrorName } from '#shared/errors.ts'
import { isObject } from '#shared/json/is-object.ts'

/** A request with the id of the HTTP request behind it, and its deadline in epoch milliseconds. */
export type RequestEnvelope = { requestId: string; deadline: number; body: unknown }

export function encodeRequest(envelope: RequestEnvelope): string {
  return JSON.stringify(envelope)
}

/** null for a text that is not such a request. */
export function decodeRequest(text: string): RequestEnvelope | null {
  const value = parse(text)
  if (!isObject(value) || typeof value.requestId !== 'string' || typeof value.deadline !== 'number') return null
  return { requestId: value.requestId, deadline: value.deadline, body: value.body }
}

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
