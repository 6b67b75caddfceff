import { firstIdAt, timeOfId } from '#shared/domain/id.ts'
import type { Batch } from '../background/pacer.ts'
import { noTime, timedTransaction } from '../background/timed-transaction.ts'
import { toBoolean, toText, toTextOrNull } from '../columns.ts'
import type { Database, Queries } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { raw, sql } from '../sql/sql.ts'
import { deleteInList, throughIndex } from '../sql/statements.ts'

/**
 * Deletes a batch of the runs of all flows that started up to a time, the oldest first. They are found by primary key, because ids begin
 * with the time.
 * @param of.from the start of the last run of the previous batch, 0 for the first one, so that rows deleted before are not scanned
 *   again: on Postgres they stay in the index until a vacuum
 * @param of.rows the maximum number of runs: other writers wait for the batch
 * @returns `from`: the one of the next batch
 */
export async function deleteOldRuns(
  db: Database,
  { from, until, rows }: { from: number; until: number; rows: number },
): Promise<Batch & { from: number }> {
  const found = await db.all(sql`select id from ${throughIndex('flow_runs', 'primary')}
    where id >= ${firstIdAt(from)} and id < ${firstIdAt(until + 1)} order by id limit ${rows}`)
  const ids = found.map(({ id }) => toText(id))
  const last = ids.at(-1)
  return { ...(await deleteRuns(db, ids)), more: ids.length === rows, from: last === undefined ? from : timeOfId(last) }
}

/**
 * Deletes a batch of the runs of a flow, the oldest first.
 * @param of.after the run after which it starts; empty: from the first
 * @param of.upTo the last run to delete; absent: all
 * @param of.share which runs to delete; absent: all
 * @returns `after`: the run after which the next batch starts
 */
export async function deleteRunsOf(
  db: Database,
  { flowId, after, upTo, share }: { flowId: string; after: string; upTo?: string; share?: RunShare | null },
  most: number,
): Promise<Batch & { after: string }> {
  const end = upTo === undefined ? raw('') : sql` and id <= ${upTo}`
  const found = await db.all(sql`select id from ${ofFlow}
    where flow_id = ${flowId} and id > ${after}${end}${inShare(share)} order by id limit ${most}`)
  const ids = found.map(({ id }) => toText(id))
  return { ...(await deleteRuns(db, ids)), more: ids.length > 0, after: ids.at(-1) ?? after }
}

/** Runs of a flow that are kept separately: those of anonymous callers, and the others. */
export type RunShare = 'public' | 'known'

function inShare(share: RunShare | null | undefined): Sql {
  if (!share) return raw('')
  return share === 'public' ? sql` and trigger_type = 'public'` : sql` and trigger_type <> 'public'`
}

const ofFlow = throughIndex('flow_runs', 'flow_runs_flow_id_id_index')

async function deleteRuns(db: Database, ids: readonly string[]): Promise<Omit<Batch, 'more'>> {
  if (ids.length === 0) return { rows: 0, took: noTime }
  const { took } = await timedTransaction(db, (tx) => tx.run(deleteInList('flow_runs', 'id', ids)))
  return { rows: ids.length, took }
}

/** The next flows of all accounts in the order of their ids, whether they are public, and the newest run of each; null: it has none. */
export async function listNewestRuns(
  db: Queries,
  { after, limit }: { after: string; limit: number },
): Promise<{ flowId: string; isPublic: boolean; runId: string | null }[]> {
  const newest = sql`select r.id from ${throughIndex('flow_runs r', 'flow_runs_flow_id_id_index')} where r.flow_id = f.id order by r.id desc limit 1`
  const rows = await db.all(sql`select f.id, f.public, (${newest}) as newest from flows f where f.id > ${after}
    order by f.id limit ${limit}`)
  return rows.map((row) => ({
    flowId: toText(row.id),
    isPublic: toBoolean(row.public),
    runId: toTextOrNull(row.newest),
  }))
}

/**
 * The newest run of a flow after `kept` newer ones; null: the flow has no more runs.
 * @param share which runs to count; null: all, for which the index is enough
 */
export async function findRunBeyond(
  db: Queries,
  flowId: string,
  kept: number,
  share: RunShare | null = null,
): Promise<string | null> {
  const row = await db.get(sql`select id from ${ofFlow} where flow_id = ${flowId}${inShare(share)}
    order by id desc limit 1 offset ${kept}`)
  return row ? toText(row.id) : null
}
