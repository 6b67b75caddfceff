import { isoTime } from '../../text/iso-time.ts'
import type { FlowRunRecord, FlowRunSummary } from './run-record.ts'

/** A run as pages show it, as JSON text. */
export function serializeRunSummary(run: FlowRunSummary): string {
  return `${headOf(run)},${run.summary.slice(1, -1)}}`
}

/** The same with its steps and what it takes to repeat it, as JSON text: values are as they were, whatever their numbers. */
export function serializeRun(run: FlowRunRecord): string {
  const input = run.input === null ? '' : `,"input":${run.input}`
  return `${headOf(run)},${run.report.slice(1, -1)},"seed":${JSON.stringify(run.seed)}${input}}`
}

function headOf(run: Omit<FlowRunSummary, 'summary'>): string {
  const { id, flowId, flowVersion, trigger, requestId, status, attempts, createdAt, durationMs, fuel } = run
  const startedAt = isoTime(createdAt)
  const by = { type: trigger, requestId }
  return JSON.stringify({ id, flowId, flowVersion, trigger: by, status, attempts, startedAt, durationMs, fuel }).slice(
    0,
    -1,
  )
}
