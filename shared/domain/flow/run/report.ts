import type { AppError } from '#shared/errors.ts'
import { utf8Length } from '../../text/utf8-length.ts'
import type { FlowAnswered, FlowEmit, FlowOutcome, FlowResult, FlowWrite } from './driver.ts'
import { maxKeptBytes } from './run-state.ts'

/** The maximum bytes of a report, unless its first line alone is longer. */
const maxReportBytes = 64 * 1024
/** The maximum characters of each text of an error. */
const maxTextLength = 2 * 1024

/** The parts of a run's result that its report contains. */
export type Reported = Pick<FlowResult, 'outcome' | 'writes' | 'emits' | 'steps'>

/**
 * The stored report of a run, as the API shows it: JSON text of two lines. The first line has the answer or error, the writes and the
 * emits; pages of runs read only this line. The limits of a run bound it to 128 KiB. The second line has the steps with their inputs and
 * results; steps that do not fit 64 KiB are only counted.
 * @param skipped the webhooks that receive nothing, because they were deleted or are not active
 */
export function reportOf({ outcome, writes, emits, steps }: Reported, skipped: readonly string[] = []): string {
  const parts = [
    endOf(outcome),
    `"writes":${JSON.stringify(writes.map(written))}`,
    `"emits":${emitted(emits, skipped)}`,
  ]
  const summary = `{${parts.join()},`
  let left = maxReportBytes - utf8Length(summary) - 100
  const kept: string[] = []
  for (const step of steps) {
    const text = JSON.stringify(step)
    left -= utf8Length(text) + 1
    if (left < 0) break
    kept.push(text)
  }
  return `${summary}\n"steps":[${kept.join()}],"omittedSteps":${steps.length - kept.length}}`
}

/**
 * The report of a run that did not complete: its input was rejected, or it could not be committed.
 * @param failure.node if known
 */
export function failureReport({
  name: code,
  status,
  message,
  node = '',
}: Pick<AppError, 'status' | 'message'> & { name: string; node?: string }): string {
  const outcome = { kind: 'failed', code, status, message, node } as const
  return reportOf({ outcome, writes: [], emits: [], steps: [] })
}

function written({ op, list, itemId, before, after, node }: FlowWrite) {
  return { op, list, itemId, version: (after ?? before)?.version ?? null, node }
}

function emitted(emits: readonly FlowEmit[], skipped: readonly string[]): string {
  const each = emits.flatMap(({ eventId, webhooks, node }) =>
    webhooks.map((webhookId) => ({ webhookId, eventId, node, ...(skipped.includes(webhookId) && { skipped: true }) })),
  )
  return JSON.stringify(each)
}

/** The answer, whose body is already JSON text, or the error. */
function endOf(outcome: FlowOutcome): string {
  if (outcome.kind === 'answered') return `"answer":${answered(outcome)}`
  const { kind: _, node, message, path, ...error } = outcome
  const texts = { message: beginningOf(message), ...(path !== undefined && { path: beginningOf(path) }) }
  return `"error":${JSON.stringify({ ...error, ...(node && { node }), ...texts })}`
}

function beginningOf(text: string): string {
  return text.slice(0, maxTextLength).toWellFormed()
}

/** Headers and a body that are too long are omitted. */
function answered({ status, headers, body }: FlowAnswered): string {
  const [isHeadCut, isBodyCut] = [isTooLong(JSON.stringify(headers)), body !== null && isTooLong(body)]
  const head = JSON.stringify({ status, headers: isHeadCut ? {} : headers }).slice(0, -1)
  const shown = body === null || isBodyCut ? '' : `,"body":${body}`
  return `${head}${shown}${isHeadCut || isBodyCut ? ',"cut":true' : ''}}`
}

function isTooLong(text: string): boolean {
  return text.length > maxKeptBytes || utf8Length(text) > maxKeptBytes
}
