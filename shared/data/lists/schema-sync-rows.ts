import type { Actor } from '#shared/domain/actor.ts'
import type { List } from '#shared/domain/list/list.ts'
import type { ListIndex } from '#shared/domain/list/list-index.ts'
import { pathNameKey } from '#shared/domain/list/path-name.ts'
import type { SyncEvent, SyncWrites } from '#shared/domain/sync/writes.ts'
import { Conflict } from '../conflict.ts'
import type { Transaction } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { countEvents, type EventCount, eventCounts } from '../events/events.ts'
import { insertRows, upsertRows } from '../sql/insert-rows.ts'
import { raw } from '../sql/sql.ts'
import { updateFrom, valuesTable } from '../sql/statements.ts'
import { lockLists } from './list-changes.ts'
import { changedListColumns, listColumns, listRow } from './list-rows.ts'

type Rows = readonly (readonly unknown[])[]

/** All rows that a sync writes. */
export type PreparedSync = {
  /** For each list that existed before: its id, its settings version, and whether it must be empty. */
  touched: Rows
  newLists: Rows
  changedLists: Rows
  newIndexes: Rows
  changedIndexes: Rows
  events: Rows
  counts: readonly EventCount[]
}

/** Computes everything that can be computed before the transaction begins. */
export function prepareSync(writes: SyncWrites, actor: Actor): PreparedSync {
  const actorText = JSON.stringify(actor)
  return {
    touched: writes.touchedLists.map(({ id, configVersion, mustBeEmpty }) => [id, configVersion, Number(mustBeEmpty)]),
    // Sorted by key, so that two syncs that create the same lists wait for each other in one order and do not deadlock.
    newLists: writes.newLists.toSorted(byPathKey).map(listRow),
    changedLists: writes.changedLists.map(listRow),
    newIndexes: writes.newIndexes.map(indexRow),
    changedIndexes: writes.changedIndexes.map(indexRow),
    events: writes.events.map((event) => eventRow(event, actorText)),
    counts: eventCounts(writes.events),
  }
}

function byPathKey(one: List, other: List): number {
  return pathNameKey(one.pathName) < pathNameKey(other.pathName) ? -1 : 1
}

/**
 * Writes all rows of a sync. The existing lists come first, which locks them and their indexes against other changes.
 * @throws Conflict
 */
export async function writeSync(tx: Transaction, sync: PreparedSync): Promise<void> {
  await touchLists(tx, sync.touched)
  await insertRows(tx, 'lists', listColumns, sync.newLists)
  await upsertRows(tx, { table: 'lists', columns: listColumns, changed: changedListColumns }, sync.changedLists)
  await insertRows(tx, 'indexes', indexColumns, sync.newIndexes)
  await upsertRows(tx, { table: 'indexes', columns: indexColumns, changed: changedIndexColumns }, sync.changedIndexes)
  await insertRows(tx, 'events', eventColumns, sync.events)
  await countEvents(tx, sync.counts)
}

async function touchLists(tx: Transaction, touched: Rows): Promise<void> {
  if (touched.length === 0) return
  await lockLists(
    tx,
    touched.map(([id]) => String(id)),
  )
  if ((await tx.run(nextVersions(touched))) !== touched.length) throw new Conflict('list')
}

/** The list of a new index that is marked ready must still be empty: item writes do not change the settings version. */
function nextVersions(touched: Rows): Sql {
  return updateFrom({
    table: 'lists',
    set: { config_version: raw('lists.config_version + 1') },
    from: valuesTable({ id: 'text', version: 'int', must_be_empty: 'int' }, touched),
    where: raw(`lists.id = input.id and lists.config_version = input.version
      and (input.must_be_empty = 0 or lists.item_count = 0)`),
  })
}

const changedIndexColumns = [
  'id', 'updated_at', 'name', 'description', 'tags', 'scope', 'pointer', 'value_type', 'alias', 'sorting', 'filtering',
  'searching', 'guard', 'default_order_direction',
] as const // biome-ignore format: one row of the table

const indexColumns = [
  ...changedIndexColumns, 'account_id', 'list_id', 'created_at', 'path_name', 'activated', 'build_status',
] // biome-ignore format: one row of the table

function indexRow(index: ListIndex): unknown[] {
  return [
    index.id, index.updatedAt, index.name, index.description, JSON.stringify(index.tags), index.scope, index.pointer,
    index.valueType, index.alias, index.sorting, index.filtering, index.searching, index.guard,
    index.defaultOrderDirection, index.accountId, index.listId, index.createdAt, index.pathName, index.activated,
    index.buildStatus,
  ] // biome-ignore format: in the order of indexColumns
}

const eventColumns = [
  'id', 'account_id', 'created_at', 'stream', 'type', 'model_id', 'list_id', 'actor', 'snapshot',
] // biome-ignore format: one row of the table

function eventRow(event: SyncEvent, actor: string): unknown[] {
  return [
    event.id, event.accountId, event.createdAt, event.stream, event.type, event.modelId, event.listId, actor,
    event.snapshot,
  ] // biome-ignore format: in the order of eventColumns
}
