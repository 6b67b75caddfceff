import type { Batch } from '../background/pacer.ts'
import { timedTransaction } from '../background/timed-transaction.ts'
import { toText } from '../columns.ts'
import type { Database, Queries } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { deleteInList } from '../sql/statements.ts'

/** The deleted flow whose runs are to be deleted, and behind which of them the next batch begins; empty: with the first. */
export type FlowPurge = { flowId: string; after: string }

/** The purge to be done next, that of the flow that was deleted first; null: none. */
export async function nextFlowPurge(db: Queries): Promise<FlowPurge | null> {
  const row = await db.get<{ flow_id: string }>(
    sql`select flow_id from flow_purges order by deleted_at, flow_id limit 1`,
  )
  return row ? { flowId: row.flow_id, after: '' } : null
}

/**
 * Deletes a batch of the runs of a deleted flow, and when none is left the purge itself. A run that had begun before the flow was
 * deleted may leave its row behind that; it is deleted with the oldest runs.
 * @param most how many runs at most: other writers wait for it
 * @returns `after`: behind which run the next batch begins. What was deleted before stays in Postgres's index until a vacuum.
 */
export async function purgeRuns(
  db: Database,
  { flowId, after }: FlowPurge,
  most: number,
): Promise<Batch & { after: string }> {
  const rows = await db.all(sql`select id from flow_runs
    where flow_id = ${flowId} and id > ${after} order by id limit ${most}`)
  const ids = rows.map(({ id }) => toText(id))
  const { took } = await timedTransaction(db, async (tx) => {
    if (ids.length > 0) await tx.run(deleteInList('flow_runs', 'id', ids))
    else await tx.run(sql`delete from flow_purges where flow_id = ${flowId}`)
  })
  return { rows: ids.length, took, more: ids.length > 0, after: ids.at(-1) ?? after }
}
