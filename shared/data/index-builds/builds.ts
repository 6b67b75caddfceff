import { laterThan } from '#shared/domain/later-than.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { serializeListIndex } from '#shared/domain/list/index-fields.ts'
import { toNumber } from '../columns.ts'
import { Conflict } from '../conflict.ts'
import type { Queries, Row } from '../database.ts'
import type { LoggedEvent } from '../events/events.ts'
import { type ItemPosition, positionIn } from '../items/item-walk.ts'
import { indexTable } from '../lists/columns.ts'
import { commitListChange, type ListStore } from '../lists/commit-change.ts'
import { sql } from '../sql/sql.ts'

/** The build of an index, and its progress. */
export type IndexBuild = {
  index: ListIndex
  /** Grows with every batch and every change of the index. */
  step: number
  /** The item after which the next batch starts. */
  position: ItemPosition
  /** Items processed so far. */
  done: number
}

/** Whether there is anything to build or to purge. */
export async function hasIndexWork(db: Queries): Promise<boolean> {
  const row = await db.get(
    sql`select 1 as n from index_builds union all select 1 from index_value_purges
      union all select 1 from term_builds union all select 1 from term_purges limit 1`,
  )
  return row !== undefined
}

/** The open builds, the oldest first. */
export async function readBuilds(db: Queries, limit: number): Promise<IndexBuild[]> {
  const rows = await db.all(
    sql`select ${indexTable.selected}, b.step, b.item_range, b.last_created_at, b.last_id, b.done
     from index_builds b join indexes on indexes.id = b.index_id order by b.values_id limit ${limit}`,
  )
  return rows.map(toBuild)
}

function toBuild(row: Row): IndexBuild {
  return {
    index: indexTable.fromRow(row),
    step: toNumber(row.step),
    position: positionIn(row),
    done: toNumber(row.done),
  }
}

/** The progress of an index's build, in items; null: it is not being built. */
export async function findBuildProgress(
  db: Queries,
  valuesId: string,
): Promise<{ done: number; total: number } | null> {
  const row = await db.get(sql`select done, total from index_builds where values_id = ${valuesId}`)
  return row ? { done: toNumber(row.done), total: toNumber(row.total) } : null
}

/** Why a build has failed: a few of the values that several items have, or of the items with an unusable value. */
export type BuildFailure =
  | { reason: 'duplicate-alias'; message: string; duplicates: { value: string; itemIds: string[] }[] }
  | { reason: 'invalid-alias'; message: string; items: { itemId: string; message: string }[] }

/**
 * Ends a build: sets the status of the index under the list's next settings version, writes the event with the outcome, and announces it.
 * @param end.failure null: all values are in the index
 * @param end.at epoch milliseconds
 * @throws Conflict if another process has continued the build, or a change of the index or list has ended it
 */
export async function endBuild(
  store: ListStore,
  { index, step, done }: IndexBuild,
  end: { failure: BuildFailure | null; eventId: string; at: number },
): Promise<void> {
  const { failure } = end
  const updatedAt = laterThan(index, end.at)
  const after: ListIndex = { ...index, updatedAt, buildStatus: failure ? 'failed' : 'ready' }
  const event: LoggedEvent = {
    id: end.eventId,
    accountId: index.accountId,
    createdAt: updatedAt,
    stream: 'index',
    modelId: index.id,
    type: failure ? 'index-build-failed' : 'index-built',
    listId: index.listId,
    actor: null,
    snapshot: serializeListIndex(after),
    attachments: failure ? { ...failure, listId: index.listId } : { items: done },
  }
  await commitListChange(store, event, async (tx) => {
    const bumped = await tx.run(
      sql`update lists set config_version = config_version + 1
        where id = ${index.listId} and account_id = ${index.accountId}`,
    )
    const ended = await tx.run(sql`delete from index_builds where values_id = ${index.valuesId} and step = ${step}`)
    if (bumped === 0 || ended === 0) throw new Conflict('build')
    await tx.run(
      sql`update indexes set build_status = ${after.buildStatus}, updated_at = ${updatedAt} where id = ${index.id}`,
    )
  })
}
