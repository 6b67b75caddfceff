import type { Actor } from '#shared/domain/actor.ts'
import { syncStateLimits } from '#shared/domain/limits.ts'
import type { List } from '#shared/domain/list/fields.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { pathNameKey } from '#shared/domain/path-name.ts'
import type { CurrentList } from '#shared/domain/sync/state.ts'
import type { SyncWrites } from '#shared/domain/sync/writes.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { AppError } from '#shared/errors.ts'
import { inTimeSlices, mapInTimeSlices } from '#shared/time/time-slices.ts'
import { toNumber, toText } from '../columns.ts'
import { Conflict } from '../conflict.ts'
import type { Queries, Transaction } from '../database.ts'
import { isUniqueViolation } from '../database-errors.ts'
import type { Sql } from '../dialect.ts'
import { committedOf } from '../events/committed.ts'
import { lockRows } from '../sql/lock-rows.ts'
import { sql } from '../sql/sql.ts'
import { idTable, locksRows, valuesTable } from '../sql/statements.ts'
import { indexTable, listTable } from './columns.ts'
import type { ListStore } from './commit-change.ts'
import { prepareSync, writeSync } from './schema-sync-rows.ts'

/** Lists of an account: those that have these path keys or ids, and those that a scope manages; null: none. */
export type SyncedLists = {
  accountId: string
  pathKeys: readonly string[]
  ids?: readonly string[]
  managedBy: string | null
}

/**
 * These lists, each with all its indexes, by path key. It takes two statements for any number of lists, one more each for ids and
 * for a scope; the last statement also returns the settings versions, which show whether a list changed in between.
 * @throws Conflict when a list changed in between; PAYLOAD_TOO_LARGE for more than `limits`, before anything is read
 */
export async function readSyncState(
  db: Queries,
  lists: SyncedLists,
  limits: SyncStateLimits = syncStateLimits,
): Promise<Map<string, CurrentList>> {
  for (const found of sourcesOf(lists)) if (found.atMost > limits.unmeasured) await assertWithin(db, found, limits)
  return byPathKey(await withIndexesOf(db, await readLists(db, lists)))
}

function byPathKey(current: readonly CurrentList[]): Map<string, CurrentList> {
  return new Map(current.map((found) => [pathNameKey(found.list.pathName), found]))
}

/** The lists, each once. */
async function readLists(db: Queries, lists: SyncedLists): Promise<List[]> {
  const found = new Map<string, List>()
  for (const { from } of sourcesOf(lists)) {
    const rows = await db.all(sql`select ${listTable.packed} ${from}`)
    for (const list of await mapInTimeSlices(rows, listTable.fromPacked)) found.set(list.id, list)
  }
  return [...found.values()]
}

type SyncStateLimits = Readonly<Record<keyof typeof syncStateLimits, number>>

/** Some of the lists as the end of a select, and their maximum number. */
type Source = { from: Sql; atMost: number }

/** A cross join fixes the join order: otherwise SQLite reads all lists of the account for each key. */
function sourcesOf({ accountId, pathKeys, ids = [], managedBy }: SyncedLists): Source[] {
  const keys = valuesTable(
    { path_key: 'text' },
    pathKeys.map((key) => [key]),
  )
  const byKey = sql`from ${keys} cross join lists
    where lists.account_id = ${accountId} and lists.path_key = input.path_key`
  const byId = sql`from ${idTable(ids)} cross join lists
    where lists.account_id = ${accountId} and lists.id = input.id`
  const managed = sql`from lists where account_id = ${accountId} and scope = ${managedBy}`
  return [
    { from: byKey, atMost: pathKeys.length },
    ...(ids.length > 0 ? [{ from: byId, atMost: ids.length }] : []),
    ...(managedBy !== null ? [{ from: managed, atMost: Number.POSITIVE_INFINITY }] : []),
  ]
}

async function assertWithin(db: Queries, { from }: Source, limits: SyncStateLimits): Promise<void> {
  const size = await db.get(sql`select count(*) as lists, sum(octet_length(lists."schema")) as bytes,
    sum((select count(*) from indexes where indexes.list_id = lists.id)) as indexes ${from}`)
  const { maxEntries, maxSchemaBytes } = limits
  if (toNumber(size?.lists) + toNumber(size?.indexes) <= maxEntries && toNumber(size?.bytes) <= maxSchemaBytes) return
  const bounds = `${counted(maxEntries, 'list')} and indexes, with ${counted(maxSchemaBytes, 'byte')} of schemas`
  throw new AppError('PAYLOAD_TOO_LARGE', { message: `One request can plan for at most ${bounds}; name fewer lists.` })
}

/**
 * Lists, each with all its indexes.
 * @throws Conflict when one of the lists has changed its settings or is gone
 */
export async function withIndexesOf(db: Queries, lists: readonly List[]): Promise<CurrentList[]> {
  const indexes = await readIndexesOf(db, lists)
  return lists.map((list) => ({ list, indexes: indexes.get(list.id) ?? [] }))
}

/** @throws Conflict when one of the lists has changed its settings or is gone */
async function readIndexesOf(db: Queries, lists: readonly List[]): Promise<Map<string, ListIndex[]>> {
  const { nested, join } = indexTable.nested('list_id', 'lists.id')
  const rows = await db.all(sql`select lists.id as owner_id, lists.config_version as owner_version, ${nested}
    from ${idTable(lists.map(({ id }) => id))} cross join lists ${join}
    where lists.id = input.id`)
  const versions = new Map(rows.map((row) => [toText(row.owner_id), toNumber(row.owner_version)]))
  if (lists.some(({ id, configVersion }) => versions.get(id) !== configVersion)) throw new Conflict('list')
  const indexes = await mapInTimeSlices(rows, (row) => indexTable.fromNested(row.nested))
  return Map.groupBy(indexes.flat(), ({ listId }) => listId)
}

/**
 * Writes the changes of a sync in one transaction, many rows with each statement, and announces them after the commit.
 * @throws Conflict when a list has changed since the sync was planned, or another list has a path name by now
 */
export async function applySync({ db, announce }: ListStore, writes: SyncWrites, actor: Actor): Promise<void> {
  if (writes.events.length === 0) return
  const prepared = await inTimeSlices(prepareSync(db, writes, actor))
  await throwConflict(db.transaction((tx) => writeSync(tx, prepared)))
  announce(committedOf(writes.events))
}

/**
 * Plans and writes a sync in one transaction that locks the rows of its lists, so that no other change of them happens in
 * between. Writes of items of these lists wait for it longer than for `applySync`.
 * @param plan returns the writes, computed from the current lists; null: nothing to write. May run more than once
 * @throws what `plan` throws; Conflict when another list has a path name by now
 */
export async function applyLockedSync(
  { db, announce }: ListStore,
  { actor, ...lists }: SyncedLists & { actor: Actor },
  plan: (current: Map<string, CurrentList>) => Promise<SyncWrites | null>,
): Promise<void> {
  const work = async (tx: Transaction): Promise<SyncWrites['events']> => {
    const writes = await plan(byPathKey(await withIndexesOf(tx, await readHeld(tx, lists))))
    if (!writes || writes.events.length === 0) return []
    await writeSync(tx, await inTimeSlices(prepareSync(tx, writes, actor)))
    return writes.events
  }
  announce(committedOf(await throwConflict(db.transaction(work))))
}

/** Locks and reads the lists: until all are locked, others may be added or changed. */
async function readHeld(tx: Transaction, synced: SyncedLists): Promise<List[]> {
  const held = new Set<string>()
  for (;;) {
    const lists = await readLists(tx, synced)
    const ids = lists.map(({ id }) => id).filter((id) => !held.has(id))
    if (ids.length === 0 || !locksRows(tx)) return lists
    await lockRows(tx, 'lists', ids)
    for (const id of ids) held.add(id)
  }
}

async function throwConflict<T>(written: Promise<T>): Promise<T> {
  try {
    return await written
  } catch (error) {
    throw isUniqueViolation(error) ? new Conflict('list') : error
  }
}
