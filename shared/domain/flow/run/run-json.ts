import { seenActor, type UserNames } from '../../event.ts'
import { isoTime } from '../../text/iso-time.ts'
import type { FlowRunRecord, FlowRunSummary } from './run-record.ts'

/** A run as pages show it, as JSON text. @param users the names of the users who started runs */
export function serializeRunSummary(run: FlowRunSummary, users: UserNames): string {
  return `${headOf(run, users)},${run.summary.slice(1, -1)}}`
}

/** The same with its steps and everything needed to repeat it, as JSON text. Numbers keep their text. */
export function serializeRun(run: FlowRunRecord, users: UserNames): string {
  const input = run.input === null ? '' : `,"input":${run.input}`
  return `${headOf(run, users)},${run.report.slice(1, -1)},"seed":${JSON.stringify(run.seed)}${input}}`
}

function headOf(run: Omit<FlowRunSummary, 'summary'>, users: UserNames): string {
  const { id, flowId, flowVersion, trigger, actor, requestId, status, attempts, createdAt, durationMs, fuel } = run
  const head = JSON.stringify({ id, flowId, flowVersion, trigger: { type: trigger, requestId } }).slice(0, -1)
  const by = actor === null ? '' : `,"actor":${seenActor(actor, users)}`
  const figures = JSON.stringify({ status, attempts, startedAt: isoTime(createdAt), durationMs, fuel }).slice(1, -1)
  return `${head}${by},${figures}`
}
