import { AppError, type AppErrorOptions, isErrorName } from '#shared/errors.ts'

/** What travels with a request: who asked first, and the epoch millisecond after which the answer helps nobody. */
export type RequestEnvelope = { requestId: string; deadline: number; body: unknown }

export function encodeRequest(envelope: RequestEnvelope): string {
  return JSON.stringify(envelope)
}

/** null for a text that is not a request of ours. */
export function decodeRequest(text: string): RequestEnvelope | null {
  const value = parse(text)
  if (!isRecord(value) || typeof value.requestId !== 'string' || typeof value.deadline !== 'number') return null
  return { requestId: value.requestId, deadline: value.deadline, body: value.body }
}

export function encodeAnswer(body: unknown): string {
  return JSON.stringify({ body })
}

/** An AppError travels whole; anything else travels as INTERNAL_ERROR and tells nothing of itself. */
export function encodeError(error: unknown): string {
  const { name, message, details, retryAfterSeconds } =
    error instanceof AppError ? error : new AppError('INTERNAL_ERROR')
  return JSON.stringify({ error: { name, message, details, retryAfterSeconds } })
}

/**
 * The body of an answer.
 * @throws AppError the one that travelled; INTERNAL_ERROR for a text that is not an answer of ours
 */
export function decodeAnswer(text: string): unknown {
  const value = parse(text)
  if (!isRecord(value)) throw new AppError('INTERNAL_ERROR')
  if (isRecord(value.error)) throw decodeError(value.error)
  return value.body
}

function decodeError(error: Record<string, unknown>): AppError {
  // A newer process may know names that this one does not.
  if (typeof error.name !== 'string' || !isErrorName(error.name)) return new AppError('INTERNAL_ERROR')
  const options: AppErrorOptions = {}
  if (typeof error.message === 'string') options.message = error.message
  if (isRecord(error.details)) options.details = error.details
  if (typeof error.retryAfterSeconds === 'number') options.retryAfterSeconds = error.retryAfterSeconds
  return new AppError(error.name, options)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
