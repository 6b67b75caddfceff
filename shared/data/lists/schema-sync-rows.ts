import type { Actor } from '#shared/domain/actor.ts'
import type { ListIndex } from '#shared/domain/list/list-index.ts'
import type { SyncEvent, SyncWrites } from '#shared/domain/sync/writes.ts'
import type { Transaction } from './database.ts'
import { addEventCounts, eventCounts } from './events.ts'
import { jsonRows } from './json-rows.ts'
import { changedListColumns, changedListRow, listColumns, listRow } from './list-rows.ts'

/** A statement with all its rows as one binding. */
export type PreparedStatement = { text: string; rows: string; count: number }

export type PreparedSync = {
  /** Proves that the touched lists are what the plan was made from, and gives them a new settings version. */
  touch: PreparedStatement
  writes: PreparedStatement[]
}

/** Everything of the transaction that can be computed before it begins. */
export function prepareSync(writes: SyncWrites, actor: Actor): PreparedSync {
  const actorText = JSON.stringify(actor)
  const touched = writes.touchedLists.map(({ id, configVersion, mustBeEmpty }) => [id, configVersion, mustBeEmpty])
  const statements = [
    prepare(insert('lists', listColumns), writes.newLists.map(listRow)),
    prepare(update('lists', changedListColumns), writes.changedLists.map(changedListRow)),
    prepare(insert('indexes', indexColumns), writes.newIndexes.map(indexRow)),
    prepare(update('indexes', changedIndexColumns), writes.changedIndexes.map(changedIndexRow)),
    prepare(
      insert('events', eventColumns),
      writes.events.map((event) => eventRow(event, actorText)),
    ),
    prepare(addEventCounts, eventCounts(writes.events)),
  ]
  return { touch: prepare(touchLists, touched), writes: statements.filter(({ count }) => count > 0) }
}

/** Thrown to roll back: a list is no longer what the plan was made from. */
export class ListsChanged extends Error {
  override readonly name = 'ListsChanged'
}

/** @throws ListsChanged */
export async function writeSync(tx: Transaction, { touch, writes }: PreparedSync): Promise<void> {
  const touched = touch.count === 0 ? 0 : await tx.run(touch.text, [touch.rows])
  if (touched !== touch.count) throw new ListsChanged()
  for (const { text, rows } of writes) await tx.run(text, [rows])
}

function prepare(text: string, rows: readonly (readonly unknown[])[]): PreparedStatement {
  return { text, rows: JSON.stringify(rows), count: rows.length }
}

/** An index that is ready at once needs a list without items still: item writes do not change the settings version. */
const touchLists = `update lists set config_version = config_version + 1
  from ${jsonRows(['id', 'version', 'must_be_empty'])}
  where lists.id = given.id and lists.config_version = given.version
  and (given.must_be_empty = 0 or lists.item_count = 0)`

function insert(table: string, columns: readonly string[]): string {
  return `insert into ${table} (${columns.join(', ')}) select ${columns.join(', ')} from ${jsonRows(columns)}`
}

/** @param columns the id, which finds the row, and those that are set */
function update(table: string, columns: readonly string[]): string {
  const settings = columns.filter((name) => name !== 'id').map((name) => `${name} = given.${name}`)
  return `update ${table} set ${settings.join(', ')} from ${jsonRows(columns)} where ${table}.id = given.id`
}

const changedIndexColumns = [
  'id', 'updated_at', 'name', 'description', 'tags', 'scope', 'pointer', 'value_type', 'alias', 'sorting', 'filtering',
  'searching', 'guard', 'default_order_direction',
] as const // biome-ignore format: one row of the table

function changedIndexRow(index: ListIndex): unknown[] {
  return [
    index.id, index.updatedAt, index.name, index.description, JSON.stringify(index.tags), index.scope, index.pointer,
    index.valueType, index.alias, index.sorting, index.filtering, index.searching, index.guard,
    index.defaultOrderDirection,
  ] // biome-ignore format: in the order of changedIndexColumns
}

const indexColumns = [
  ...changedIndexColumns, 'account_id', 'list_id', 'created_at', 'path_name', 'activated', 'build_status',
] // biome-ignore format: one row of the table

function indexRow(index: ListIndex): unknown[] {
  return [
    ...changedIndexRow(index), index.accountId, index.listId, index.createdAt, index.pathName, index.activated,
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
