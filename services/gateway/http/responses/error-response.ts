import { AppError } from '#shared/errors.ts'
import type { HttpResponse } from './respond.ts'

/** The response of contract 1.5 for an error that a client may see. */
export function errorResponse(
  error: AppError,
  requestId: string,
  ofRoute?: Record<string, string>,
): HttpResponse & { body: string } {
  const { name, code, message, details, status, retryAfterSeconds, reason, run } = error
  const headers = error.headers ? { ...ofRoute, ...error.headers } : ofRoute
  const body = JSON.stringify({ name, code, message, details, requestId })
  const failure = { error: name, ...(reason !== undefined && { reason }) }
  const response = { status, body, headers, failure, ...(run && { run }) }
  if (retryAfterSeconds === undefined) return response
  return { ...response, headers: { ...headers, 'retry-after': String(Math.ceil(retryAfterSeconds)) } }
}

/** Any other exception is a failure of ours, and no detail of it reaches the client. */
export function asAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('INTERNAL_ERROR')
}
