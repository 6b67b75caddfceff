import { maxCounted } from '#shared/domain/limits.ts'
import { validationFailed } from '#shared/errors.ts'
import { toNumber, toText } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { itemOrderColumns } from '../items/columns.ts'
import { after, type SeekPosition } from '../pages/cursor.ts'
import { isNumberKey, isTextKey, type PagePart } from '../pages/keyset.ts'
import type { Direction, OrderKey } from '../pages/page.ts'
import { limitRows } from '../sql/ordered-union.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import {
  type AccessPath,
  candidates,
  checksOf,
  count,
  countByRanges,
  countUpTo,
  matches,
  type Way,
} from './access-path.ts'
import type { Condition } from './conditions/condition.ts'
import { measure } from './elements.ts'
import { checked, type RowOrder, rowsOfCondition, rowsOfList, type Source } from './row-ranges.ts'

// Which items a page shows: rows that an index has in the page's order, or all items of the set, sorted, where few are found.

export function isKeyOf(order: RowOrder): (key: OrderKey) => key is OrderKey {
  return (key): key is OrderKey => ('field' in order ? isNumberKey(key) : key === null || isTextKey(key))
}

/** The position of a row; a key is null where the item has no value. */
export function positionOf(order: RowOrder): (row: Row) => SeekPosition {
  const keyOf = (k: unknown) => ('field' in order ? toNumber(k) : k === null ? null : toText(k))
  return ({ k, id }) => ({ key: keyOf(k), id: toText(id) })
}

/** Rows that an index has in the page's order, or sorted items. */
export type Positions = InSources | SortedItems

export type InSources = {
  /** Read one after the other: items without a value are in a separate source after the others. */
  sources: readonly Source[]
  /**
   * How many items they have, up to `maxCounted + 1`, where that costs less than counting them in order; null: only the walk can count
   * them.
   */
  count?(): Promise<number | null>
}

export type SortedItems = {
  sorted: Sorted
  /**
   * The list in the page's order. Many items are found, so its first rows probably contain the page. `count`: the number of these items.
   */
  frequent?: { sources: readonly Source[]; count(): Promise<number> }
}

/** Selects `id` and `k`, the key, of a part of the items; with `counted` also `n`, the number of all items. */
export type Sorted = (part: PagePart, options: { counted: boolean }) => Sql

/** If at least this share of the rows that a call examines is found, reading a few rows of the list costs less than sorting. */
const frequentShare = 1 / 20

/** @throws VALIDATION_FAILED when no index has the order and there are too many items to sort */
export async function positionsInOrder(db: Queries, path: AccessPath, options: Sorting): Promise<Positions> {
  const { order, maxExamined } = options
  const { set, driving, others } = path
  if (driving?.scans) return sortedWithin(db, path, options)
  const inOrder = rowsOfDriving(path, order)
  const countItems = () => countByRanges(db, path, maxCounted)
  if (inOrder) return { sources: [inOrder], count: countItems }
  const scan = rowsOfList(set, driving ? [driving, ...others] : others, order)
  if (scan && !driving) return { sources: scan }
  if (scan) {
    const found = await path.countFound(maxCounted)
    if (found > maxCounted) return { sources: scan, count: countItems }
    const positions = await sortedWithin(db, path, options)
    if (!('sorted' in positions) || found < maxExamined * frequentShare) return positions
    return { ...positions, frequent: { sources: scan, count: () => count(db, matches(path)) } }
  }
  const found = await path.countFound(maxExamined)
  if (found > maxExamined) throw tooManyToSort()
  const positions = await sortedWithin(db, path, options)
  // Only items of the set count: those found may include items that the caller does not see.
  const isUnsure = found > maxCounted && 'sorted' in positions
  if (isUnsure && (await countUpTo(db, matches(path), maxCounted)) > maxCounted) throw tooManyToSort()
  return positions
}

type Sorting = { order: RowOrder; maxExamined: number }

/**
 * All items of the set, sorted, if one call may read all elements that their checks need. Otherwise the items found are sorted without
 * checks, and then checked row by row.
 */
export async function sortedWithin(db: Queries, way: Way, { order, maxExamined }: Sorting): Promise<Positions> {
  const source = sortedSource(way, order)
  const all = { direction: 'desc', from: null, limit: maxExamined, offset: 0 } as const
  const { isCut } = await measure(db, source, all, maxExamined)
  return isCut ? { sources: [source] } : { sorted: sortedBy(way, order) }
}

function sortedSource(way: Way, order: RowOrder): Source {
  const rows = sortedBy(way, order, [])
  const source: Source = {
    rows: (part) => rows(part, { counted: false }),
    order: (direction) => sortedOrder(order, direction),
    ranges: 1,
    checks: [],
  }
  return checked(source, checksOf(way))
}

const most = maxCounted.toLocaleString('en-US')
const message = `is supported for at most ${most} items; order by createdAt or updatedAt, or add a filter`
const tooManyToSort = () => validationFailed([{ path: 'order', message }])

/** The rows of the driving condition, if its index has them in the page's order, and the checks of the others. */
function rowsOfDriving({ set, driving, others, counted }: AccessPath, order: RowOrder): Source | null {
  const source = driving && rowsOfCondition(set, driving, order)
  // An item that several conditions find is counted more than once.
  const isExact = counted !== null && counted <= maxCounted && !driving?.anyOf
  return source && checked({ ...source, ...(isExact && { atMost: counted }) }, others)
}

/**
 * Looks up the key of each item by its id; the time of creation may be selected with the id already. A join is not used, because a server
 * that misestimates the number of rows would sort all items for it. The lookup is not nested one select deeper: there MariaDB no longer
 * resolves `f` when the prepared statement runs again.
 * @param conditions as of `candidates`
 */
function sortedBy(way: Way, order: RowOrder, conditions?: readonly Condition[]): Sorted {
  const { ids, predicate, haveTime } = candidates(way, conditions)
  const { row, key, missing } = keyLookup(order)
  const hasKey = haveTime && 'field' in order && order.field === 'createdAt'
  const k = hasKey ? raw('f.k as k') : sql`(select ${raw(key)} from ${row}) as k`
  const last = missing === null ? raw('') : sql`, (select ${raw(missing)} from ${row}) as missing`
  return ({ direction, from, limit, offset }, { counted }) => {
    const bound = from && boundOf({ hasKey, row, isBehind: isBehind(order, direction, from) }, { direction, from })
    const conditions = [predicate, bound].filter((condition) => condition !== null)
    const where = conditions.length > 0 ? sql`where ${joinSql(conditions, ' and ')}` : raw('')
    const n = raw(counted ? ', count(*) over () as n' : '')
    return sql`select f.id, ${k}${last}${n} from (${joinSql(ids, ' union all ')}) f ${where}
      order by ${raw(sortedOrder(order, direction))} ${limitRows({ limit, offset })}`
  }
}

/** Items without a value come last. */
function sortedOrder(order: RowOrder, direction: Direction): string {
  return `${'field' in order ? '' : 'missing, '}k ${direction}, id ${direction}`
}

function boundOf(
  { hasKey, row, isBehind }: { hasKey: boolean; row: Sql; isBehind: Sql },
  { direction, from }: { direction: Direction; from: SeekPosition },
): Sql {
  if (hasKey) return after({ key: 'f.k', id: 'f.id', direction }, from)
  return sql`(select count(*) from ${row} and ${isBehind}) > 0`
}

/**
 * The row `s` that has the key of the item `f.id`, and expressions for the key and for whether the key is missing; null: no key is
 * missing.
 */
function keyLookup(order: RowOrder): { row: Sql; key: string; missing: string | null } {
  if ('field' in order) {
    return { row: raw('items s where s.id = f.id'), key: `s.${itemOrderColumns[order.field]}`, missing: null }
  }
  const row = sql`index_values s where s.item_id = f.id and s.index_id = ${order.indexId}`
  return { row, key: 's.order_key', missing: 's.order_key is null' }
}

function isBehind(order: RowOrder, direction: Direction, from: SeekPosition): Sql {
  if ('field' in order) return after({ key: `s.${itemOrderColumns[order.field]}`, id: 's.id', direction }, from)
  if (from.key === null)
    return sql`s.order_key is null and ${raw(`s.item_id ${direction === 'asc' ? '>' : '<'} `)}${from.id}`
  return sql`(s.order_key is null or (${after({ key: 's.order_key', id: 's.item_id', direction }, from)}))`
}
