import type { Knex } from 'knex'
import { type IndexShape, type IndexValue, keysAt } from '#shared/domain/item/index-value.ts'
import type { Item } from '#shared/domain/item/item.ts'
import type { ValueType } from '#shared/domain/list/index-fields.ts'
import { toBoolean, toNumber, toText } from '../columns.ts'
import type { Row, Transaction } from '../database.ts'
import type { ColumnTypes, Sql } from '../dialect.ts'
import { indexElementRows } from '../items/item-rows.ts'
import { flagRanges } from '../items/item-walk.ts'
import { insertRows } from '../sql/insert-rows.ts'
import { lockRows } from '../sql/lock-rows.ts'
import { sql } from '../sql/sql.ts'
import { inList, updateFrom, valuesTable } from '../sql/statements.ts'
import type { Batch, Moved } from './migration.ts'
import { createTables, extendTables } from './tables.ts'

/**
 * The elements of arrays: an item's entry in `index_values` is that of the least one, the others stand in a table of their own.
 * `arrays` of an index tells whether it may have any, so that the others are read and written as before. `revision` is that of the
 * item: code of the version before leaves elements behind when it changes an item, and they count no longer.
 */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return [
    ...createTables(build, types, {
      index_elements(t) {
        t.text('item_id', 36).notNullable()
        t.text('index_id', 36).notNullable()
        t.int('revision').notNullable()
        t.int('n').notNullable()
        t.flag('activated').notNullable()
        t.flag('readonly').notNullable()
        t.text('order_key', 256)
        t.longText('filter_key')
        t.int('created_at').notNullable()
        t.primary(['item_id', 'index_id', 'revision', 'n'])
        t.byPrimaryKey()
        t.index(['index_id', 'activated', 'readonly', 'order_key', 'item_id', 'created_at', 'revision'], {
          name: 'index_elements_order_index',
        })
      },
    }),
    ...extendTables(build, types, { indexes: (t) => void t.flag('arrays').notNullable().defaultTo(0) }),
  ]
}

/** Items whose data are read together: one may have 1 MiB. */
export const readTogether = 50

type Position = { valuesId: string; range: number; itemId: string }

/** Where a move through the entries of indexes goes on. */
export function positionAt(after: string | null): Position {
  return after === null ? { valuesId: '', range: flagRanges.length, itemId: '' } : JSON.parse(after)
}

/**
 * Adds the elements of arrays that are stored: an array had an entry without a value, so that only the items of such entries are read,
 * index by index. Code of the version before goes on writing arrays without a value: those get one when they are written next, or by a
 * rebuild of their index.
 */
export async function fillElements(tx: Transaction, { after, limit }: Batch): Promise<Moved> {
  const from = positionAt(after)
  const withoutKey = { indexes: sql`alias = 0`, entries: sql`order_key is null` }
  const found = await nextEntries(tx, { from, limit: Math.min(limit, readTogether) }, withoutKey)
  if (!found) return { rows: 0, after: null }
  const { index, ids, position } = found
  if (ids.length > 0) await addElements(tx, index, ids)
  // An index without such items is a step, too.
  return { rows: Math.max(1, ids.length), after: JSON.stringify(position) }
}

export type Index = IndexShape & { id: string; listId: string; valuesId: string; arrays: boolean }
type Entries = { index: Index; ids: string[]; position: Position }

/** The items of the next entries, index by index. @param of conditions on the indexes and on their entries */
export async function nextEntries(
  tx: Transaction,
  { from, limit }: { from: Position; limit: number },
  of: { indexes: Sql; entries: Sql },
): Promise<Entries | null> {
  const isBegun = from.range < flagRanges.length
  const row = await tx.get(sql`select id, list_id, values_id, pointer, value_type, alias, arrays from indexes
    where ${of.indexes} and ${isBegun ? sql`values_id = ${from.valuesId}` : sql`values_id > ${from.valuesId}`}
    order by values_id limit 1`)
  if (!row) return isBegun ? nextEntries(tx, { from: { ...from, range: flagRanges.length }, limit }, of) : null
  const index = indexFromRow(row)
  const { range, itemId } = isBegun ? from : { range: 0, itemId: '' }
  const [activated, readonly] = flagRanges[range] ?? flagRanges[0]
  const rows = await tx.all(sql`select item_id from index_values
    where index_id = ${index.valuesId} and activated = ${activated} and readonly = ${readonly}
      and ${of.entries} and item_id > ${itemId} order by item_id limit ${limit}`)
  const ids = rows.map(({ item_id }) => toText(item_id))
  const last = ids.at(-1)
  const next = last === undefined ? { range: range + 1, itemId: '' } : { range, itemId: last }
  return { index, ids, position: { valuesId: index.valuesId, ...next } }
}

function indexFromRow(row: Row): Index {
  return {
    id: toText(row.id),
    listId: toText(row.list_id),
    valuesId: toText(row.values_id),
    pointer: toText(row.pointer),
    valueType: toText(row.value_type) as ValueType,
    alias: toBoolean(row.alias),
    arrays: toBoolean(row.arrays),
  }
}

async function addElements(tx: Transaction, index: Index, ids: readonly string[]): Promise<void> {
  const entries = await computeEntries(tx, { index, ids })
  await writeEntries(
    tx,
    index,
    entries.filter(({ value }) => value.orderKey !== null),
  )
}

/** The entries of items by their data, which are locked. @param of.applies whether data are taken; absent: all that can be read are */
export async function computeEntries(
  tx: Transaction,
  { index, ids, applies }: { index: Index; ids: readonly string[]; applies?: (data: unknown) => boolean },
): Promise<Entry[]> {
  await lockRows(tx, 'items', ids)
  const rows = await tx.all(
    sql`select id, revision, activated, readonly, created_at, data from items where ${inList('id', ids)}`,
  )
  return rows.flatMap((row) => {
    const value = valueIn(index, toText(row.data), applies)
    if (value === null) return []
    const flags = { activated: toBoolean(row.activated), readonly: toBoolean(row.readonly) }
    const item = { id: toText(row.id), revision: toNumber(row.revision), ...flags, createdAt: toNumber(row.created_at) }
    return [{ item, value }]
  })
}

/** Data that cannot be read have no value, as before. */
function valueIn(index: Index, text: string, applies?: (data: unknown) => boolean): IndexValue | null {
  try {
    const data: unknown = JSON.parse(text)
    if (applies?.(data) === false) return null
    const [least, ...elements] = keysAt(index, data)
    if (!least) return null
    return { indexId: index.valuesId, ...least, aliasText: null, ...(elements.length > 0 && { elements }) }
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

export type Entry = { item: Pick<Item, 'id' | 'revision' | 'activated' | 'readonly' | 'createdAt'>; value: IndexValue }

export async function writeEntries(tx: Transaction, index: Index, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  await tx.run(
    updateFrom({
      table: 'index_values',
      set: { order_key: sql`input.order_key`, filter_key: sql`input.filter_key` },
      from: valuesTable(
        { item_id: 'text', index_id: 'text', order_key: 'text', filter_key: 'text' },
        entries.map(({ item, value }) => [item.id, index.valuesId, value.orderKey, value.filterKey]),
      ),
      where: sql`index_values.item_id = input.item_id and index_values.index_id = input.index_id`,
    }),
  )
  const several = entries.filter(({ value }) => value.elements !== undefined)
  if (several.length === 0) return
  await insertRows(tx, indexElementRows(several))
  if (index.arrays) return
  await tx.run(sql`update lists set config_version = config_version + 1 where id = ${index.listId}`)
  await tx.run(sql`update indexes set arrays = 1 where id = ${index.id}`)
}
