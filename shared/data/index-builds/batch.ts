import { noTime, type Took } from '../background/timed-transaction.ts'
import { Conflict } from '../conflict.ts'
import type { Database, Transaction } from '../database.ts'
import { isUniqueViolation } from '../database-errors.ts'
import { indexElementRows, indexValueRows } from '../items/item-rows.ts'
import { type ItemPosition, nextItems, type StepSize } from '../items/item-walk.ts'
import { noteArrays } from '../lists/array-indexes.ts'
import { insertRows } from '../sql/insert-rows.ts'
import { sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
import type { BuildFailure, IndexBuild } from './builds.ts'
import { findDuplicates } from './duplicates.ts'
import { type BuildEntry, lockUnchanged, readEntries } from './entries.ts'

// One batch of a build. An item that is written during the build may change its place in the walk, but its write has then also written its
// value (docs/design/index-builds.md).

/** `next`: batches may follow. `rows`: the number of its items. */
export type BatchResult =
  | { status: 'next'; rows: number; took: Took }
  | { status: 'complete' }
  | { status: 'failed'; failure: BuildFailure }

/**
 * Writes the values of the next items into the index, in one short transaction. Values of items that changed since they were
 * read are left out: those writes have written them.
 * @throws Conflict when another process has done this batch, or the build was ended by a change of the index or list
 */
export async function buildBatch(db: Database, build: IndexBuild, size: StepSize): Promise<BatchResult> {
  const found = await nextItems(db, { listId: build.index.listId, from: build.position }, size)
  if (!found) return { status: 'complete' }
  const entries = await readEntries(db, build.index, found.ids)
  if (!build.index.arrays && entries.some(({ value }) => value?.elements)) {
    await noteArrays(db, { listId: build.index.listId, valuesIds: [build.index.valuesId] })
    return { status: 'next', rows: 0, took: noTime }
  }
  const calledAt = performance.now()
  const lockedAt = { time: calledAt }
  try {
    const failure = await db.transaction((tx) => {
      lockedAt.time = performance.now()
      return writeBatch(tx, build, { entries, position: found.position, count: found.ids.length })
    })
    if (failure) return { status: 'failed', failure }
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const failure = await findDuplicates(db, build.index, entries)
    if (failure) return { status: 'failed', failure }
    // The other item no longer has the alias, so the batch is repeated.
  }
  const took = { waitedMs: lockedAt.time - calledAt, heldMs: performance.now() - lockedAt.time }
  return { status: 'next', rows: found.ids.length, took }
}

type Batch = { entries: readonly BuildEntry[]; position: ItemPosition; count: number }

/** Locks rows in the order of all item writes: items, their values, and rows of the list last. */
async function writeBatch(tx: Transaction, build: IndexBuild, batch: Batch): Promise<BuildFailure | null> {
  const { valuesId } = build.index
  const current = await lockUnchanged(tx, batch.entries)
  const invalid = current.flatMap(({ item, error }) => (error ? [{ itemId: item.id, message: error.message }] : []))
  if (invalid.length > 0) return invalidAlias(invalid)
  const values = current.flatMap(({ item, value }) => (value ? [{ item, value }] : []))
  const ids = current.map(({ item }) => item.id)
  await tx.run(sql`delete from index_values where ${inList('item_id', ids)} and index_id = ${valuesId}`)
  await insertRows(tx, indexValueRows(values))
  if (build.index.arrays) {
    await tx.run(sql`delete from index_elements where ${inList('item_id', ids)} and index_id = ${valuesId}`)
    await insertRows(tx, indexElementRows(values))
  }
  const { range, lastCreatedAt, lastId } = batch.position
  const moved = await tx.run(sql`update index_builds set step = step + 1, item_range = ${range},
    last_created_at = ${lastCreatedAt}, last_id = ${lastId}, done = done + ${batch.count}
    where values_id = ${valuesId} and step = ${build.step}`)
  if (moved === 0) throw new Conflict('build')
  return null
}

const maxReported = 20

function invalidAlias(items: { itemId: string; message: string }[]): BuildFailure {
  const message = 'The values of these items cannot be aliases.'
  return { reason: 'invalid-alias', message, items: items.slice(0, maxReported) }
}
