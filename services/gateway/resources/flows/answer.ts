import type { FlowAnswered, FlowFailed } from '#shared/domain/flow/driver.ts'
import { AppError } from '#shared/errors.ts'
import type { Response } from '../../request/response.ts'

/** On the origin of the dashboard no answer of a flow may become a page. */
const contained = { 'content-security-policy': "sandbox; default-src 'none'" }

/** The headers of every answer of a run. */
function runHeaders(runId: string): Record<string, string> {
  return { 'x-flow-run': runId, ...contained }
}

/** The error of a run with the headers of its answer, and for the log with the run and where it failed. */
export function withRun(error: AppError, runId: string): AppError {
  const { code, node } = error.details ?? {}
  const failure = error.name === 'FLOW_FAILED' ? `, ${code}${node ? ` at ${node}` : ''}` : ''
  error.headers = { ...error.headers, ...runHeaders(runId) }
  error.reason ??= `run ${runId}${failure}`
  return error
}

/** The answer that a run has made. */
export function answerOf({ status, headers, body }: FlowAnswered, runId: string): Response {
  const { 'cache-control': cacheControl, ...others } = headers
  return {
    status,
    ...(body !== null && { body }),
    ...(cacheControl !== undefined && { cacheControl }),
    headers: { ...others, ...runHeaders(runId) },
  }
}

/** An answer with the id of its run, as JSON text, for whoever sends the request again. */
export function keptAnswer(answered: FlowAnswered, runId: string): string {
  return JSON.stringify({ ...answered, runId })
}

/** The same answer again. */
export function answerAgain(kept: string): Response {
  const { runId, ...answered } = JSON.parse(kept) as FlowAnswered & { runId: string }
  return answerOf(answered, runId)
}

/** The error of a run that failed; `details` say where. */
export function failureOf({ kind: _, status, message, ...details }: FlowFailed): AppError {
  return new AppError('FLOW_FAILED', { status, message, details })
}
