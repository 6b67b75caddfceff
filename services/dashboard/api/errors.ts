import { ListdError } from '#client/src/error.ts'

/** After how many seconds the server may answer again; null: time alone does not help. */
export function secondsToWait({ name, status, retryAfterSeconds }: ListdError): number | null {
  return status === 429 || status === 503 || name === 'INDEX_BUILDING' ? (retryAfterSeconds ?? 5) : null
}

/** The sentence of a page for any failure; an unexpected one is reported with its message. */
export function toListdError(error: unknown): ListdError {
  if (error instanceof ListdError) return error
  return new ListdError({ name: 'UNEXPECTED_ANSWER', message: String(error), cause: error })
}
