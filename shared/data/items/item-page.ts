import type { Item } from '#shared/domain/item/item.ts'
import { toNumber, toText } from './columns.ts'
import { beyond, makeCursor, type Place, readCursor } from './cursor.ts'
import type { Queries, Row } from './database.ts'
import { type Approach, approach, countedExactly, countUpTo, matches } from './item-matches.ts'
import { listRanges, rowsInOrder } from './item-ranges.ts'
import type { ItemSet } from './item-set.ts'
import { itemTotal } from './item-total.ts'
import { itemColumns, itemColumnsWithoutData, itemFromRow, owner } from './items.ts'
import { readListState } from './lists.ts'
import { comparePlaces, type Direction, type Page, type PageRequest } from './page.ts'
import { raw, type SqlText, sql } from './sql-text.ts'

/** What items can be ordered by; an index has the first two in order, by the others at most 10,000 items are sorted. */
const orderColumns = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  size: 'size',
  readonly: 'readonly',
  activated: 'activated',
  locked: 'locked',
} as const

export type ItemOrder = keyof typeof orderColumns

export type ItemPageRequest = PageRequest & { order: ItemOrder }

export type ItemPageOptions = {
  accountId: string
  set: ItemSet
  /** Whether the set leaves out items that the caller may see: then its total is exact to 10,000 only. */
  filtered: boolean
  /** False: `data` of the items is not read and is null. */
  withData: boolean
}

/** A page and, read after its rows, the settings version of the list: when it is a known one, so are the rows'. */
export type ItemPage = { configVersion: number; page: Page<Item> }

/**
 * One page of the items of a set.
 * @returns null when the list is gone; `too-many` when there are more items than are sorted by an order that no index has
 * @throws VALIDATION_FAILED for a cursor that is none, or was made with another order, direction or filter
 */
export async function readItemPage(
  db: Queries,
  options: ItemPageOptions,
  request: ItemPageRequest,
): Promise<ItemPage | 'too-many' | null> {
  const { accountId, set } = options
  const chosen = await approach(db, set)
  const found = await readRows(db, { ...options, chosen }, request)
  if (!found) return 'too-many'
  const list = await readListState(db, { accountId, listId: set.listId })
  if (!list) return null
  const { configVersion } = list
  const { items: data, next } = found
  if ('after' in request) return { configVersion, page: { limit: request.limit, next, data } }
  const { total, isAtLeast } = await itemTotal(db, { ...options, chosen, list })
  const { page, limit } = request
  return { configVersion, page: { page, limit, total, ...(isAtLeast && { totalIsAtLeast: true }), data } }
}

type Chosen = ItemPageOptions & { chosen: Approach }

async function readRows(
  db: Queries,
  options: Chosen,
  request: ItemPageRequest,
): Promise<{ items: Item[]; next: string | null } | null> {
  const byCursor = 'after' in request
  const from = byCursor && request.after !== '' ? readCursor(request.after, request, isNumber) : null
  const places = await placesInOrder(db, options, { ...request, from })
  if (!places) return null
  const { limit, direction } = request
  const [rowLimit, offset] = byCursor ? [limit + 1, 0] : [limit, (request.page - 1) * limit]
  const { text, bindings } = sql`select ${raw(options.withData ? itemColumns : itemColumnsWithoutData)}, p.k
    from (${places} limit ${rowLimit} offset ${offset}) p cross join items i on i.id = p.id ${raw(owner)}`
  const rows = await db.all(text, bindings)
  // A join promises no order, whatever order its rows are found in.
  rows.sort((left, right) => comparePlaces(placeOf(left), placeOf(right), direction))
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { items: shown.map(itemFromRow), next: last ? makeCursor(placeOf(last), request) : null }
}

const isNumber = (key: unknown) => typeof key === 'number'

function placeOf({ k, id }: Row): Place {
  return { key: toNumber(k), id: toText(id) }
}

type Ordering = { order: ItemOrder; direction: Direction; from: Place | null }

/** `id` and `k`, the key, of the items in order; null: there are too many to be sorted. */
async function placesInOrder(
  db: Queries,
  { set, chosen }: Chosen,
  { order, direction, from }: Ordering,
): Promise<SqlText | null> {
  const column = orderColumns[order]
  const { through, others } = chosen
  if (through?.ranges && column === 'created_at') {
    return rowsInOrder(set, { ranges: through.ranges, conditions: others }, { column, direction, from })
  }
  const indexed = column === 'created_at' || column === 'updated_at' ? column : null
  const walkList = indexed && (() => rowsInOrder(set, wholeList(set, chosen), { column: indexed, direction, from }))
  if (walkList && !through) return walkList()
  const found = through?.found ?? matches(set, chosen)
  if ((await countUpTo(db, found, countedExactly)) <= countedExactly) {
    return sorted(matches(set, chosen), { column, direction, from })
  }
  return walkList ? walkList() : null
}

function wholeList(set: ItemSet, { through, others }: Approach) {
  return { ranges: listRanges(set), conditions: through ? [through, ...others] : others }
}

function sorted(
  ids: SqlText,
  { column, direction, from }: { column: string; direction: Direction; from: Place | null },
): SqlText {
  const key = raw(`s.${column}`)
  const behind = from ? sql`where (${key}, s.id) ${raw(beyond[direction])} (${from.key}, ${from.id})` : raw('')
  return sql`select s.id as id, ${key} as k from (${ids}) m cross join items s on s.id = m.id ${behind}
    order by k ${raw(direction)}, id ${raw(direction)}`
}
