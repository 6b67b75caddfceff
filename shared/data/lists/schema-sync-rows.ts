import type { Actor } from '#shared/domain/actor.ts'
import type { List } from '#shared/domain/list/list.ts'
import type { ListIndex } from '#shared/domain/list/list-index.ts'
import { pathNameKey } from '#shared/domain/list/path-name.ts'
import type { SyncWrites } from '#shared/domain/sync/writes.ts'
import { Conflict } from '../conflict.ts'
import type { Transaction } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { countEvents, type EventCount, eventCounts, eventRows } from '../events/events.ts'
import { type Columns, insertRows, type Rows, rowMapper, upsertRows } from '../sql/insert-rows.ts'
import { raw } from '../sql/sql.ts'
import { updateFrom, valuesTable } from '../sql/statements.ts'
import { lockLists } from './list-changes.ts'
import { changedListColumns, listRows } from './list-rows.ts'

type TouchedRow = readonly [id: string, configVersion: number, mustBeEmpty: number]

/** All rows that a sync writes. */
export type PreparedSync = {
  /** For each list that existed before: its id, its settings version, and whether it must be empty. */
  touched: readonly TouchedRow[]
  newLists: Rows
  changedLists: ReturnType<typeof listRows>
  newIndexes: Rows
  changedIndexes: ReturnType<typeof indexRows>
  events: Rows
  counts: readonly EventCount[]
}

/** Computes everything that can be computed before the transaction begins. */
export function prepareSync(writes: SyncWrites, actor: Actor): PreparedSync {
  return {
    touched: writes.touchedLists.map(({ id, configVersion, mustBeEmpty }) => [id, configVersion, Number(mustBeEmpty)]),
    // Sorted by key, so that two syncs that create the same lists wait for each other in one order and do not deadlock.
    newLists: listRows(writes.newLists.toSorted(byPathKey)),
    changedLists: listRows(writes.changedLists),
    newIndexes: indexRows(writes.newIndexes),
    changedIndexes: indexRows(writes.changedIndexes),
    events: eventRows(writes.events.map((event) => ({ ...event, actor }))),
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
  await insertRows(tx, sync.newLists)
  await upsertRows(tx, sync.changedLists, changedListColumns)
  await insertRows(tx, sync.newIndexes)
  await upsertRows(tx, sync.changedIndexes, changedIndexColumns)
  await insertRows(tx, sync.events)
  await countEvents(tx, sync.counts)
}

async function touchLists(tx: Transaction, touched: readonly TouchedRow[]): Promise<void> {
  if (touched.length === 0) return
  await lockLists(
    tx,
    touched.map(([id]) => id),
  )
  if ((await tx.run(nextVersions(touched))) !== touched.length) throw new Conflict('list')
}

/** The list of a new index that is marked ready must still be empty: item writes do not change the settings version. */
function nextVersions(touched: readonly TouchedRow[]): Sql {
  return updateFrom({
    table: 'lists',
    set: { config_version: raw('lists.config_version + 1') },
    from: valuesTable({ id: 'text', version: 'int', must_be_empty: 'int' }, touched),
    where: raw(`lists.id = input.id and lists.config_version = input.version
      and (input.must_be_empty = 0 or lists.item_count = 0)`),
  })
}

/** The columns that a sync may change. */
const changedIndexColumns = {
  updated_at: (index) => index.updatedAt,
  name: (index) => index.name,
  description: (index) => index.description,
  tags: (index) => JSON.stringify(index.tags),
  scope: (index) => index.scope,
  pointer: (index) => index.pointer,
  value_type: (index) => index.valueType,
  alias: (index) => index.alias,
  sorting: (index) => index.sorting,
  filtering: (index) => index.filtering,
  searching: (index) => index.searching,
  guard: (index) => index.guard,
  default_order_direction: (index) => index.defaultOrderDirection,
} satisfies Columns<ListIndex>

const indexRows = rowMapper('indexes', {
  id: (index) => index.id,
  ...changedIndexColumns,
  account_id: (index) => index.accountId,
  list_id: (index) => index.listId,
  created_at: (index) => index.createdAt,
  path_name: (index) => index.pathName,
  activated: (index) => index.activated,
  build_status: (index) => index.buildStatus,
} satisfies Columns<ListIndex>)
