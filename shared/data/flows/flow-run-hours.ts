import type { FlowRunStatus } from '#shared/domain/flow/run/run-record.ts'
import { firstIdAt } from '#shared/domain/id.ts'
import type { Queries } from '../database.ts'
import { countHours } from '../pages/hours.ts'
import { sql } from '../sql/sql.ts'
import { inList, throughIndex } from '../sql/statements.ts'

/** How many runs of an account began in each hour and ended so. @param hours their begins in epoch milliseconds */
export function countRuns(
  db: Queries,
  { accountId, statuses }: { accountId: string; statuses: readonly FlowRunStatus[] },
  hours: readonly number[],
): Promise<number[]> {
  const table = throughIndex('flow_runs', 'flow_runs_account_id_status_id_index')
  return countHours(
    db,
    hours,
    (from, before) => sql`from ${table} where account_id = ${accountId} and ${inList('status', statuses)}
      and id > ${firstIdAt(from)} and id < ${firstIdAt(before)}`,
  )
}
