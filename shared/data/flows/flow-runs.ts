import type { FlowRunRecord, FlowRunStatus, FlowRunSummary, FlowTrigger } from '#shared/domain/flow/run/run-record.ts'
import { toNumber, toText, toTextOrNull } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import { rowMapper } from '../sql/insert-rows.ts'
import { raw, sql } from '../sql/sql.ts'
import { firstLine, inList } from '../sql/statements.ts'

/** Rows of runs, which are inserted by the transaction of the run. */
export const flowRunRows = rowMapper<FlowRunRecord>('flow_runs', {
  id: ({ id }) => id,
  account_id: ({ accountId }) => accountId,
  flow_id: ({ flowId }) => flowId,
  flow_version: ({ flowVersion }) => flowVersion,
  status: ({ status }) => status,
  trigger_type: ({ trigger }) => trigger,
  actor: ({ actor }) => actor,
  request_id: ({ requestId }) => requestId,
  created_at: ({ createdAt }) => createdAt,
  duration_ms: ({ durationMs }) => durationMs,
  attempts: ({ attempts }) => attempts,
  fuel: ({ fuel }) => fuel,
  seed: ({ seed }) => seed,
  input: ({ input }) => input,
  report: ({ report }) => report,
  error_code: ({ errorCode }) => errorCode,
})

const summaryColumns = raw(
  'id, account_id, flow_id, flow_version, status, trigger_type, actor, request_id, created_at, duration_ms, attempts, fuel',
)

/** A run of an account. */
export async function findFlowRun(
  db: Queries,
  { accountId, runId }: { accountId: string; runId: string },
): Promise<FlowRunRecord | null> {
  const row = await db.get(sql`select ${summaryColumns}, seed, input, report, error_code
    from flow_runs where id = ${runId} and account_id = ${accountId}`)
  if (!row) return null
  return {
    ...partsOf(row),
    seed: toText(row.seed),
    input: toTextOrNull(row.input),
    report: toText(row.report),
    errorCode: toTextOrNull(row.error_code),
  }
}

/** Runs by id, without what only a single run shows: of each report the first line is read. */
export async function readRunSummaries(db: Queries, ids: readonly string[]): Promise<Map<string, FlowRunSummary>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all(sql`select ${summaryColumns}, ${firstLine('report')} as summary
    from flow_runs where ${inList('id', ids)}`)
  return new Map(rows.map((row) => [toText(row.id), { ...partsOf(row), summary: toText(row.summary) }]))
}

function partsOf(row: Row): Omit<FlowRunSummary, 'summary'> {
  return {
    id: toText(row.id),
    accountId: toText(row.account_id),
    flowId: toText(row.flow_id),
    flowVersion: toNumber(row.flow_version),
    status: toText(row.status) as FlowRunStatus,
    trigger: toText(row.trigger_type) as FlowTrigger,
    actor: toTextOrNull(row.actor),
    requestId: toText(row.request_id),
    createdAt: toNumber(row.created_at),
    durationMs: toNumber(row.duration_ms),
    attempts: toNumber(row.attempts),
    fuel: toNumber(row.fuel),
  }
}
