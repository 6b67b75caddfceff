import type { AppError } from '#shared/errors.ts'
import type { Value } from '../expression/value.ts'
import type { FlowEmit, FlowOutcome, FlowResult, FlowStep, FlowWrite } from './driver.ts'

/** The most characters of a step's values, and of a report whose first line is shorter. */
const maxValueLength = 4 * 1024
const maxReportLength = 64 * 1024

/**
 * What is kept of a run, as the API shows it: JSON text of two lines. The first has its answer or error, what it has written and what it
 * has emitted; pages of runs show it and read no more. The second has its steps with what they were given and came to. A value that is
 * too long is null, and the step says `"cut": true`; steps that no longer fit 64 Ki characters are only counted.
 * @param skipped the webhooks that get nothing, because they are gone or not active
 */
export function reportOf({ outcome, writes, emits, steps }: FlowResult, skipped: readonly string[] = []): string {
  const parts = [
    endOf(outcome),
    `"writes":${JSON.stringify(writes.map(written))}`,
    `"emits":${emitted(emits, skipped)}`,
  ]
  const summary = `{${parts.join()},`
  let left = maxReportLength - summary.length - 100
  const kept: string[] = []
  for (const step of steps) {
    const text = JSON.stringify(shortened(step))
    left -= text.length + 1
    if (left < 0) break
    kept.push(text)
  }
  return `${summary}\n"steps":[${kept.join()}],"omittedSteps":${steps.length - kept.length}}`
}

/** The same of a run that did not come to its end: its input was refused, or it could not be committed. */
export function failureReport({ name: code, status, message }: Pick<AppError, 'name' | 'status' | 'message'>): string {
  const outcome = { kind: 'failed', code, status, message, node: '' } as const
  return reportOf({ outcome, writes: [], emits: [], reads: [], steps: [], fuel: 0 })
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

/** The answer, whose body is JSON text already, or the error. */
function endOf(outcome: FlowOutcome): string {
  if (outcome.kind === 'failed') {
    const { kind: _, node, message, ...error } = outcome
    return `"error":${JSON.stringify({ ...error, ...(node && { node }), message: message.slice(0, maxValueLength).toWellFormed() })}`
  }
  const { status, headers, body } = outcome
  const shown = body === null ? '' : body.length > maxValueLength ? ',"cut":true' : `,"body":${body}`
  return `"answer":${JSON.stringify({ status, headers }).slice(0, -1)}${shown}}`
}

function shortened({ node, type, inputs, result, port, fuel }: FlowStep) {
  const given = Object.entries(inputs).map(([name, value]) => [name, withinLength(value)] as const)
  const values = [...given.map(([, value]) => value), withinLength(result)]
  return {
    node,
    type,
    inputs: Object.fromEntries(given.map(([name, value]) => [name, value ?? null])),
    result: values.at(-1) ?? null,
    port,
    fuel,
    ...(values.includes(undefined) && { cut: true }),
  }
}

function withinLength(value: Value): Value | undefined {
  return JSON.stringify(value).length > maxValueLength ? undefined : value
}
