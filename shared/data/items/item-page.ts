import type { Item } from '#shared/domain/item/item.ts'
import { shortTextBytes } from '#shared/domain/limits.ts'
import { unavailable } from '#shared/errors.ts'
import { toNumber, toText } from '../columns.ts'
import { after, comparePositions, type SeekPosition } from '../cursor.ts'
import type { Queries, Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { endPage, isNumberKey, type PagePart, partOf, toPage } from '../keyset.ts'
import { findListState } from '../lists/lists.ts'
import type { Page, PageRequest } from '../page.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import {
  type AccessPath,
  type Candidates,
  candidates,
  chooseAccessPath,
  countUpTo,
  matches,
  maxExactCount,
} from './item-matches.ts'
import { rangesOfList, rowsInOrder } from './item-ranges.ts'
import { existsIn, type ItemSet } from './item-set.ts'
import { itemTotal } from './item-total.ts'
import { findItems, itemColumnsWithoutData, itemColumnsWithShortData, itemFromRow, owner } from './items.ts'

/** The columns to order by. Indexes have the first two in order; for the others at most 10,000 items are sorted. */
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
  /** Whether filters leave out items that the principal may see: then the total is exact to 10,000 only. */
  filtered: boolean
  /** False: `data` of the items is not read and is null. */
  withData: boolean
}

/** A page and the list's settings version, read after the rows: settings of that version applied while they were read. */
export type ItemPage = { configVersion: number; page: Page<Item> }

/**
 * One page of the items of a set.
 * @returns null when the list is gone; `too-many` when no index has the order and there are too many items to sort
 * @throws VALIDATION_FAILED when the cursor is invalid, or was made with another order, direction or filter, and when a page
 *   by number exceeds the bytes of a page; SERVICE_UNAVAILABLE when its items change faster than they are read
 */
export async function readItemPage(
  db: Queries,
  options: ItemPageOptions,
  request: ItemPageRequest,
): Promise<ItemPage | 'too-many' | null> {
  const { accountId, set } = options
  const accessPath = await chooseAccessPath(db, set)
  const found = await readConsistentRows(db, { ...options, accessPath }, request)
  if (found === 'too-many') return found
  const list = await findListState(db, { accountId, listId: set.listId })
  if (!list) return null
  const { configVersion } = list
  const total = 'after' in request ? null : await itemTotal(db, { ...options, accessPath, list })
  return { configVersion, page: toPage(request, found, total) }
}

type PathOptions = ItemPageOptions & { accessPath: AccessPath }

type Found = { data: Item[]; next: string | null }

/**
 * Long data is read by a second statement; when an item changed in between, the page is read again. Not by `retryOnConflict`:
 * a page costs too much to be read for seconds, and whoever reads competes with nobody, so there is no pause.
 */
const maxReads = 5

async function readConsistentRows(
  db: Queries,
  options: PathOptions,
  request: ItemPageRequest,
): Promise<Found | 'too-many'> {
  for (let reads = 0; reads < maxReads; reads++) {
    const found = await readRows(db, options, request)
    if (!found) return 'too-many'
    if (!options.withData || (await addLongData(db, options, found.data))) return found
  }
  throw unavailable()
}

/** @returns false when one of the items changed since it was read */
async function addLongData(db: Queries, { accountId, set }: ItemPageOptions, items: Item[]): Promise<boolean> {
  const long = items.filter(({ size }) => size > shortTextBytes)
  if (long.length === 0) return true
  const ids = long.map(({ id }) => id)
  const whole = await findItems(db, { accountId, listId: set.listId }, ids)
  if (!whole) return true // the list is gone, which the caller finds out next
  for (const item of long) {
    const now = whole.items.get(item.id)
    if (now?.revision !== item.revision) return false
    item.data = now.data
  }
  return true
}

async function readRows(db: Queries, options: PathOptions, request: ItemPageRequest): Promise<Found | null> {
  const positions = await positionsInOrder(db, options, { order: request.order, ...partOf(request, isNumberKey) })
  if (!positions) return null
  const columns = raw(options.withData ? itemColumnsWithShortData : itemColumnsWithoutData)
  const rows = await db.all(
    sql`select ${columns}, p.k from (${positions}) p cross join items i ${raw(owner)} where i.id = p.id`,
  )
  // A join guarantees no order.
  rows.sort((left, right) => comparePositions(positionOf(left), positionOf(right), request.direction))
  const bytes = (row: Row) => (options.withData ? toNumber(row.size) : 0)
  const { rows: shown, next } = endPage(request, rows, { position: positionOf, bytes })
  return { data: shown.map(itemFromRow), next }
}

function positionOf({ k, id }: Row): SeekPosition {
  return { key: toNumber(k), id: toText(id) }
}

/** Selects `id` and `k`, the key, of the items in order; null: there are too many to sort. */
async function positionsInOrder(
  db: Queries,
  { set, accessPath }: PathOptions,
  { order, ...part }: PagePart & { order: ItemOrder },
): Promise<Sql | null> {
  const column = orderColumns[order]
  const { driving, others } = accessPath
  if (driving?.indexRanges && column === 'created_at') {
    return rowsInOrder(set, { ranges: driving.indexRanges, conditions: others }, { column, ...part })
  }
  const indexed = column === 'created_at' || column === 'updated_at' ? column : null
  const scanList = indexed && (() => rowsInOrder(set, wholeList(set, accessPath), { column: indexed, ...part }))
  if (scanList && !driving) return scanList()
  const found = driving?.candidates ? [driving.candidates] : matches(set, accessPath)
  if ((await countUpTo(db, found, maxExactCount)) <= maxExactCount) {
    return sorted(candidates(set, accessPath), { column, ...part })
  }
  return scanList ? scanList() : null
}

function wholeList(set: ItemSet, { driving, others }: AccessPath) {
  return { ranges: rangesOfList(set), conditions: driving ? [driving, ...others] : others }
}

/**
 * Looks up the key of each item by its id: for a join, a server that misestimates the number of rows would sort all items.
 * Not nested one select deeper: there MariaDB no longer resolves `f` when the prepared statement runs again.
 */
function sorted(
  { ids, predicate }: Candidates,
  { column, direction, from, limit, offset }: PagePart & { column: string },
): Sql {
  const key = `s.${column}`
  const bound = from && existsIn('items s', 's.id', 'f.id', after({ key, id: 's.id', direction }, from))
  const conditions = [predicate, bound].filter((condition) => condition !== null)
  const where = conditions.length > 0 ? sql`where ${joinSql(conditions, ' and ')}` : raw('')
  return sql`select f.id, (select ${raw(key)} from items s where s.id = f.id) as k from (${joinSql(ids, ' union all ')}) f ${where}
    order by k ${raw(direction)}, id ${raw(direction)} limit ${limit} offset ${offset}`
}
