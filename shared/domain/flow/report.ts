import type { AppError } from '#shared/errors.ts'
import type { Value } from '../expression/value.ts'
import type { FlowOutcome, FlowResult, FlowStep } from './driver.ts'

/** The most characters of a step's values, and of a report. */
const maxValueLength = 4 * 1024
const maxReportLength = 64 * 1024

/**
 * What is kept of a run, as JSON text of at most 64 Ki characters: its steps with what they were given and came to, what it has written
 * and emitted, and its answer or error. A value that is too long is null, and the step says `"cut": true`; steps that no longer fit are
 * only counted.
 * @param skipped the webhooks that get nothing, because they are gone or not active
 */
export function reportOf({ outcome, writes, emits, steps }: FlowResult, skipped: readonly string[] = []): string {
  const head = JSON.stringify({
    writes: writes.map(({ op, list, itemId, before, after, node }) => {
      return { op, list, itemId, version: (after ?? before)?.version ?? null, node }
    }),
    emits: emits.map(({ eventId, webhooks, node }) => {
      return { eventId, webhooks, skipped: webhooks.filter((id) => skipped.includes(id)), node }
    }),
    ...endOf(outcome),
  })
  let left = maxReportLength - head.length - 100
  const kept: string[] = []
  for (const step of steps) {
    const text = JSON.stringify(shortened(step))
    left -= text.length + 1
    if (left < 0) break
    kept.push(text)
  }
  return `{"steps":[${kept.join()}],"omittedSteps":${steps.length - kept.length},${head.slice(1)}`
}

/** The same of a run that did not come to its end: its input was refused, or it could not be committed. */
export function failureReport({ name: code, status, message }: Pick<AppError, 'name' | 'status' | 'message'>): string {
  const outcome = { kind: 'failed', code, status, message, node: '' } as const
  return reportOf({ outcome, writes: [], emits: [], reads: [], steps: [], fuel: 0 })
}

function endOf(outcome: FlowOutcome) {
  if (outcome.kind === 'failed') {
    const { kind: _, ...error } = outcome
    return { answer: null, error: { ...error, message: error.message.slice(0, maxValueLength) } }
  }
  const { status, headers, body } = outcome
  const isLong = body !== null && body.length > maxValueLength
  return { answer: { status, headers, body: isLong ? null : body, ...(isLong && { cut: true }) }, error: null }
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
