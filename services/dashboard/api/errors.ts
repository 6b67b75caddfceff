import { ListdError } from '#client/src/error.ts'

/** Seconds after which a retry may succeed; null: waiting does not help. */
export function secondsToWait({ name, status, retryAfterSeconds }: ListdError): number | null {
  return status === 429 || status === 503 || name === 'INDEX_BUILDING' ? (retryAfterSeconds ?? 5) : null
}

/** Any failure as an error with a sentence to show. An unexpected one keeps its message. */
export function toListdError(error: unknown): ListdError {
  if (error instanceof ListdError) return error
  return new ListdError({ name: 'UNEXPECTED_ANSWER', message: String(error), cause: error })
}
