import type { Actor } from '#shared/domain/actor.ts'
import type { List } from '#shared/domain/list/fields.ts'
import { pathNameKey } from '#shared/domain/path-name.ts'
import type { SyncWrites } from '#shared/domain/sync/writes.ts'
import { byKey } from '#shared/json/by-key.ts'
import { assertRoomInAccount } from '../accounts/account-limits.ts'
import { Conflict } from '../conflict.ts'
import type { Queries, Transaction } from '../database.ts'
import type { Dialect, Sql } from '../dialect.ts'
import { countEvents, type EventCount, eventCounts } from '../events/event-counts.ts'
import { eventRows } from '../events/events.ts'
import { commitNumbers } from '../realtime/commit-numbers.ts'
import { insertRows, type Rows, upsertRows } from '../sql/insert-rows.ts'
import { lockSeveral } from '../sql/lock-rows.ts'
import { raw } from '../sql/sql.ts'
import { deleteInList, updateFrom, valuesTable } from '../sql/statements.ts'
import { indexTable, listTable, syncedIndexColumns, syncedListColumns } from './columns.ts'
import { writeBuilds } from './index-changes.ts'
import { type RemovedList, removeLists } from './list-changes.ts'
import { listTagRows, removeTags } from './list-tags.ts'

type TouchedRow = readonly [id: string, configVersion: number, mustBeEmpty: number]

/** All rows that a sync writes, those of a table in batches. */
type PreparedSync = {
  /** For each list that existed before: its id, its settings version, and whether it must be empty. */
  touched: readonly TouchedRow[]
  newLists: readonly Rows[]
  changedLists: readonly Rows[]
  changedListIds: readonly string[]
  /** The tags of new and of changed lists. */
  tags: readonly Rows[]
  deletedLists: readonly RemovedList[]
  growth: SyncWrites['growth']
  newIndexes: readonly Rows[]
  changedIndexes: readonly Rows[]
  deletedIndexIds: readonly string[]
  builds: SyncWrites['builds']
  events: readonly Rows[]
  numbers: readonly Sql[]
  counts: readonly EventCount[]
}

/** Computes everything that can be computed before the transaction begins; yields after each batch of rows. */
export function* prepareSync(
  { dialect }: Queries,
  writes: SyncWrites,
  actor: Actor,
): Generator<undefined, PreparedSync> {
  const perBatch = batchRows(dialect)
  return {
    touched: writes.touchedLists.map(({ id, configVersion, mustBeEmpty }) => [id, configVersion, Number(mustBeEmpty)]),
    // Sorted by key, so that two syncs that create the same lists wait for each other in one order and do not deadlock.
    newLists: yield* batchesOf(byPathKey(writes.newLists), perBatch, listTable.rows),
    changedLists: yield* batchesOf(writes.changedLists, perBatch, listTable.rows),
    changedListIds: writes.changedLists.map(({ id }) => id),
    tags: yield* batchesOf([...writes.newLists, ...writes.changedLists], perBatch, listTagRows),
    deletedLists: writes.deletedLists,
    growth: writes.growth,
    newIndexes: yield* batchesOf(writes.newIndexes, perBatch, indexTable.rows),
    changedIndexes: yield* batchesOf(writes.changedIndexes, perBatch, indexTable.rows),
    deletedIndexIds: writes.deletedIndexes.map(({ id }) => id),
    builds: writes.builds,
    events: yield* batchesOf(writes.events, perBatch, (events) =>
      eventRows(events.map((event) => ({ ...event, actor }))),
    ),
    numbers: commitNumbers(writes.events.filter(({ realtime }) => realtime)),
    counts: eventCounts(writes.events),
  }
}

/** At least 640, and a multiple of the rows of a statement: the batches take no more statements than all rows together. */
function batchRows({ rowsOfInsert }: Dialect): number {
  const ofStatement = rowsOfInsert(Number.MAX_SAFE_INTEGER)
  return Math.ceil(640 / ofStatement) * ofStatement
}

/**
 * Sent batch by batch: rows that are sent at once are kept in memory, and block the event loop while their statements are built.
 */
function* batchesOf<T>(
  sources: readonly T[],
  perBatch: number,
  rowsOf: (sources: readonly T[]) => Rows,
): Generator<undefined, Rows[]> {
  const batches: Rows[] = []
  for (let start = 0; start < sources.length; start += perBatch) {
    batches.push(rowsOf(sources.slice(start, start + perBatch)))
    yield
  }
  return batches
}

function byPathKey(lists: readonly List[]): List[] {
  const keyed = lists.map((list) => [pathNameKey(list.pathName), list] as const)
  return keyed.toSorted(byKey).map(([, list]) => list)
}

/**
 * Writes all rows of a sync. The existing lists come first, which locks them and their indexes against other changes.
 * @throws Conflict, MAX_LISTS_EXCEEDED
 */
export async function writeSync(tx: Transaction, sync: PreparedSync): Promise<void> {
  await touchLists(tx, sync.touched)
  await assertRoomInAccount(tx, { ...sync.growth, limit: 'maxLists' })
  if (sync.deletedLists.length > 0) await removeLists(tx, sync.deletedLists, await tx.now())
  if (sync.deletedIndexIds.length > 0) await tx.run(deleteInList('indexes', 'id', sync.deletedIndexIds))
  for (const rows of sync.newLists) await insertRows(tx, rows)
  for (const rows of sync.changedLists) await upsertRows(tx, rows, { changed: syncedListColumns })
  if (sync.changedListIds.length > 0) await removeTags(tx, sync.changedListIds)
  for (const rows of sync.tags) await insertRows(tx, rows)
  for (const rows of sync.newIndexes) await insertRows(tx, rows)
  for (const rows of sync.changedIndexes) await upsertRows(tx, rows, { changed: syncedIndexColumns })
  await writeBuilds(tx, sync.builds)
  for (const rows of sync.events) await insertRows(tx, rows)
  for (const statement of sync.numbers) await tx.run(statement)
  await countEvents(tx, sync.counts)
}

async function touchLists(tx: Transaction, touched: readonly TouchedRow[]): Promise<void> {
  if (touched.length === 0) return
  await lockSeveral(
    tx,
    'lists',
    touched.map(([id]) => id),
  )
  if ((await tx.run(nextVersions(touched))) !== touched.length) throw new Conflict('list')
}

/** Also checks that lists which must be empty still are, because item writes do not change the settings version. */
function nextVersions(touched: readonly TouchedRow[]): Sql {
  return updateFrom({
    table: 'lists',
    set: { config_version: raw('lists.config_version + 1') },
    from: valuesTable({ id: 'text', version: 'int', must_be_empty: 'int' }, touched),
    where: raw(`lists.id = input.id and lists.config_version = input.version
      and (input.must_be_empty = 0 or lists.item_count = 0)`),
  })
}
