import type { Batch } from '../background/pacer.ts'
import type { Database, Queries } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { deleteRunsOf } from './run-retention.ts'

/** The deleted flow whose runs are to be deleted, and the run after which the next batch starts; empty: from the first. */
export type FlowPurge = { flowId: string; after: string }

/**
 * The next purge, that of the flow that was deleted first; null: none.
 * @param deletedUntil only flows that were deleted up to this time, in epoch milliseconds
 */
export async function nextFlowPurge(db: Queries, deletedUntil: number): Promise<FlowPurge | null> {
  const row = await db.get<{ flow_id: string }>(
    sql`select flow_id from flow_purges where deleted_at <= ${deletedUntil} order by deleted_at, flow_id limit 1`,
  )
  return row ? { flowId: row.flow_id, after: '' } : null
}

/**
 * Deletes a batch of the runs of a deleted flow, and the purge itself when none are left.
 * @param most the maximum number of runs: other writers wait for the batch
 * @returns `after`: the run after which the next batch starts
 */
export async function purgeRuns(
  db: Database,
  { flowId, after }: FlowPurge,
  most: number,
): Promise<Batch & { after: string }> {
  const batch = await deleteRunsOf(db, { flowId, after }, most)
  if (!batch.more) await db.run(sql`delete from flow_purges where flow_id = ${flowId}`)
  return batch
}
