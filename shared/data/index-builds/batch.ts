import { toNumber, toText } from '../columns.ts'
import { Conflict } from '../conflict.ts'
import type { Database, Queries, Transaction } from '../database.ts'
import { isUniqueViolation } from '../database-errors.ts'
import { indexValueRows } from '../items/item-rows.ts'
import { after } from '../pages/cursor.ts'
import { insertRows } from '../sql/insert-rows.ts'
import { raw, sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
import type { BuildFailure, BuildPosition, IndexBuild } from './builds.ts'
import { findDuplicates } from './duplicates.ts'
import { type BuildEntry, lockUnchanged, readEntries } from './entries.ts'

// One batch of a build. It walks the items of the list in the order of an index that they have anyway: four ranges, one for
// each combination of two flags, and each in the order of creation. An item that is written during the build may change its
// place in that order; its write has then written its value too (docs/design/index-builds.md).

/** The most that one batch may hold. */
type BatchSize = {
  items: number
  /** Bytes of item data; the first item is always taken. */
  bytes: number
}

/** `next`: batches may follow. `heldMs`: for how many milliseconds rows were locked. */
export type BatchResult =
  | { status: 'next'; heldMs: number }
  | { status: 'complete' }
  | { status: 'failed'; failure: BuildFailure }

/** The flags `activated` and `readonly` of the items of each range. */
const ranges = [
  [1, 0],
  [1, 1],
  [0, 0],
  [0, 1],
] as const

/**
 * Writes the values of the next items into the index, in one short transaction. Values of items that changed since they were
 * read are left out: those writes have written them.
 * @throws Conflict when another process has done this batch, or the build was ended by a change of the index or list
 */
export async function buildBatch(db: Database, build: IndexBuild, size: BatchSize): Promise<BatchResult> {
  const found = await nextItems(db, build, size)
  if (!found) return { status: 'complete' }
  const entries = await readEntries(db, build.index, found.ids)
  const lockedAt = { time: 0 }
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
    // The other item has given the alias up since: the batch is done again.
  }
  return { status: 'next', heldMs: performance.now() - lockedAt.time }
}

/** The ids of the next items, and the position behind them; null: there are no more. */
async function nextItems(
  db: Queries,
  { index, position }: IndexBuild,
  size: BatchSize,
): Promise<{ ids: string[]; position: BuildPosition } | null> {
  for (let range = position.range; range < ranges.length; range++) {
    const from = range === position.range ? position : null
    const rows = await itemsOfRange(db, { listId: index.listId, range, from, limit: size.items })
    const taken = rows.slice(0, countWithin(rows, size.bytes))
    const last = taken.at(-1)
    if (last) {
      const behind = { range, lastCreatedAt: last.createdAt, lastId: last.id }
      return { ids: taken.map(({ id }) => id), position: behind }
    }
  }
  return null
}

type ItemKey = { id: string; createdAt: number; size: number }

async function itemsOfRange(
  db: Queries,
  { listId, range, from, limit }: { listId: string; range: number; from: BuildPosition | null; limit: number },
): Promise<ItemKey[]> {
  const [activated, readonly] = ranges[range] ?? ranges[0]
  const order = { key: 'created_at', id: 'id', direction: 'asc' } as const
  const bound = from ? sql` and ${after(order, { key: from.lastCreatedAt, id: from.lastId })}` : raw('')
  const rows = await db.all(sql`select id, created_at, size from items
    where list_id = ${listId} and activated = ${activated} and readonly = ${readonly}${bound}
    order by created_at, id limit ${limit}`)
  return rows.map((row) => ({
    id: toText(row.id),
    createdAt: toNumber(row.created_at),
    size: toNumber(row.size),
  }))
}

/** How many of the items hold no more bytes of data together; at least one. */
function countWithin(items: readonly ItemKey[], bytes: number): number {
  let left = bytes
  const end = items.findIndex(({ size }) => {
    left -= size
    return left < 0
  })
  return end < 0 ? items.length : Math.max(end, 1)
}

type Batch = { entries: readonly BuildEntry[]; position: BuildPosition; count: number }

/** The locks in the order of all item writes: items, their values, and what belongs to the list last. */
async function writeBatch(tx: Transaction, build: IndexBuild, batch: Batch): Promise<BuildFailure | null> {
  const { valuesId } = build.index
  const current = await lockUnchanged(tx, batch.entries)
  const invalid = current.flatMap(({ item, error }) => (error ? [{ itemId: item.id, message: error.message }] : []))
  if (invalid.length > 0) return invalidAlias(invalid)
  const values = current.flatMap(({ item, value }) => (value ? [{ item, value }] : []))
  const ids = current.map(({ item }) => item.id)
  await tx.run(sql`delete from index_values where ${inList('item_id', ids)} and index_id = ${valuesId}`)
  await insertRows(tx, indexValueRows(values))
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
