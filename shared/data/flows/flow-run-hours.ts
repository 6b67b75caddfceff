import type { FlowRunStatus } from '#shared/domain/flow/run/run-record.ts'
import type { RunCause } from '#shared/domain/hours.ts'
import { firstIdAt } from '#shared/domain/id.ts'
import { toNumber, toText, toTextOrNull } from '../columns.ts'
import type { Queries } from '../database.ts'
import { countHours } from '../pages/hours.ts'
import { limitRows } from '../sql/ordered-union.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { inList, throughIndex } from '../sql/statements.ts'

/** Maximum runs of each status whose errors are counted, and maximum reported causes. */
const most = { runs: 1_000, causes: 20 }

/**
 * Why the newest runs of an account failed or were rejected, the most frequent cause first.
 * @param since the start of the earliest in epoch milliseconds
 */
export async function readRunCauses(db: Queries, accountId: string, since: number): Promise<RunCause[]> {
  const newest = (['failed', 'refused'] as const).map((status) => {
    const rows = sql`select flow_id, status, error_code from ${ofStatus}
      where account_id = ${accountId} and status = ${status} and id > ${firstIdAt(since)} order by id desc
      ${limitRows({ limit: most.runs, offset: 0 })}`
    return sql`select flow_id, status, error_code from (${rows}) as ${raw(status)}`
  })
  const found = await db.all(sql`select flow_id, status, error_code, count(*) as found
    from (${joinSql(newest, ' union all ')}) as newest group by flow_id, status, error_code
    order by found desc, flow_id, status, error_code limit ${most.causes}`)
  return found.map((row) => ({
    flowId: toText(row.flow_id),
    status: toText(row.status) as RunCause['status'],
    code: toTextOrNull(row.error_code),
    count: toNumber(row.found),
  }))
}

const ofStatus = throughIndex('flow_runs', 'flow_runs_account_id_status_id_index')

/** The number of an account's runs with one of these statuses, by hour of start. @param hours their starts in epoch milliseconds */
export function countRuns(
  db: Queries,
  { accountId, statuses }: { accountId: string; statuses: readonly FlowRunStatus[] },
  hours: readonly number[],
): Promise<number[]> {
  return countHours(
    db,
    hours,
    (from, before) => sql`from ${ofStatus} where account_id = ${accountId} and ${inList('status', statuses)}
      and id > ${firstIdAt(from)} and id < ${firstIdAt(before)}`,
  )
}
