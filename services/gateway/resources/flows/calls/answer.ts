import type { Response } from '#services/gateway/request/response.ts'
import type { FlowAnswered, FlowFailed } from '#shared/domain/flow/run/driver.ts'
import { messageForCaller } from '#shared/domain/flow/run/failure.ts'
import type { RunIds } from '#shared/errors.ts'
import { AppError } from '#shared/errors.ts'

/** Flows answer on the origin of the dashboard, so no browser may run their answers as pages. */
const contained = { 'content-security-policy': "sandbox; default-src 'none'" }

/** The headers of every answer of a run. */
function runHeaders(runId: string): Record<string, string> {
  return { 'x-flow-run': runId, ...contained }
}

/** Adds to the error of a run the headers of its answer and, for the log, the run and the place where it failed. */
export function withRun(error: AppError, run: RunIds): AppError {
  const { code, node } = error.details ?? {}
  error.headers = { ...error.headers, ...runHeaders(run.runId) }
  error.run = run
  if (error.name === 'FLOW_FAILED') error.reason ??= `${code}${node ? ` at ${node}` : ''}`
  return error
}

/** The answer of a run. */
export function answerOf({ status, headers, body }: FlowAnswered, run: RunIds): Response {
  const { 'cache-control': cacheControl, ...others } = headers
  return {
    status,
    ...(body !== null && { body }),
    ...(cacheControl !== undefined && { cacheControl }),
    headers: { ...others, ...runHeaders(run.runId) },
    run,
  }
}

/** An answer with the id of its run, as JSON text, for the same request when it is sent again. */
export function keptAnswer(answered: FlowAnswered, runId: string): string {
  return JSON.stringify({ ...answered, runId })
}

/** The answer of an earlier run of this flow, from its kept text. */
export function answerAgain(kept: string, flowId: string): Response {
  const { runId, ...answered } = JSON.parse(kept) as FlowAnswered & { runId: string }
  return answerOf(answered, { flowId, runId })
}

/** The error of a run that failed, as its caller sees it: code, node and place, and no value that the run has read. */
export function failureOf({ code, status, message, node, path, line, column, index }: FlowFailed): AppError {
  const place = {
    ...(path !== undefined && { path }),
    ...(line !== undefined && { line, column }),
    ...(index !== undefined && { index }),
  }
  const hasPlace = Object.keys(place).length > 0
  const details = { code, node, ...(hasPlace && { place }) }
  return new AppError('FLOW_FAILED', { status, message: messageForCaller({ code, message }), details })
}
