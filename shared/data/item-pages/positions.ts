import { allKeys } from '#shared/domain/item/key-filter.ts'
import { maxCounted } from '#shared/domain/limits.ts'
import { validationFailed } from '#shared/errors.ts'
import { toNumber, toText } from '../columns.ts'
import type { Sql } from '../dialect.ts'
import { type ItemOrder, itemOrders } from '../items/columns.ts'
import { after, type SeekPosition } from '../pages/cursor.ts'
import { isNumberKey, isTextKey, type PagePart } from '../pages/keyset.ts'
import type { Direction, OrderKey } from '../pages/page.ts'
import { limitRows } from '../sql/ordered-union.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { type AccessPath, type Candidates, candidates } from './access-path.ts'
import type { Condition } from './conditions/condition.ts'
import { withValue } from './conditions/index-values.ts'
import type { ItemSet } from './item-set.ts'
import { rangesOfList, rowsByTime, rowsByValue, rowsInAnyOrder, rowsWithoutValue } from './ranges.ts'

// Which items a page shows: selects of their ids and keys in the page's order, from an index that has this order, or sorted
// where they are at most 10,000.

/** By a field, or by the values of an index: `indexId` is its `valuesId`. */
export type RowOrder = { field: ItemOrder } | { indexId: string }

export function isKeyOf(order: RowOrder): (key: OrderKey) => key is OrderKey {
  return (key): key is OrderKey => ('field' in order ? isNumberKey(key) : key === null || isTextKey(key))
}

/** A key as the database returns it; null: the item has no value. */
export function keyOf(order: RowOrder, k: unknown): OrderKey {
  if ('field' in order) return toNumber(k)
  return k === null ? null : toText(k)
}

/** How to read `id` and `k`, the key, of the items of a set in the page's order. */
export type Positions = {
  /** Selects a part of them. */
  select(part: PagePart): Sql
  /** Items without a value, if they come behind the others in a range of their own. */
  missing?: {
    select(part: PagePart): Sql
    /** Selects of the others, in no order, by which they are counted. */
    others(): readonly Sql[]
  }
}

/** @throws VALIDATION_FAILED when no index has the order and there are too many items to sort */
export async function positionsInOrder(accessPath: AccessPath, order: RowOrder): Promise<Positions> {
  const { driving } = accessPath
  const inDrivingOrder = driving && rowsOfDriving(accessPath, order)
  if (inDrivingOrder) return inDrivingOrder
  const scan = scanInOrder(accessPath, order)
  if (scan && !driving) return scan
  if ((await accessPath.countFound()) > maxCounted) {
    if (scan) return scan
    // The items of the set decide: among what is found with them may be items that the caller does not see.
    if ((await accessPath.countItems()) > maxCounted)
      throw validationFailed([{ path: 'order', message: tooManyToSort }])
  }
  return { select: (part) => sorted(accessPath, { order, ...part }) }
}

const most = maxCounted.toLocaleString('en-US')
const tooManyToSort = `is supported for at most ${most} items; order by createdAt or updatedAt, or add a filter`

/** The items of the driving condition, if its index has them in the page's order. */
function rowsOfDriving({ set, driving, others: conditions }: AccessPath, order: RowOrder): Positions | null {
  if ('indexId' in order) {
    const ranges = driving?.valueRanges
    if (ranges?.indexId !== order.indexId) return null
    return { select: (part) => rowsByValue(set, { ranges, conditions }, part) }
  }
  const ranges = driving?.indexRanges
  if (!ranges || ranges.table === 'index_values' || order.field !== 'createdAt') return null
  return { select: (part) => rowsByTime(set, { ranges, conditions }, { column: 'created_at', ...part }) }
}

/** All items of the list in the page's order, or those with the values that the page filters by; null: no index has it. */
function scanInOrder({ set, driving, others }: AccessPath, order: RowOrder): Positions | null {
  const conditions = driving ? [driving, ...others] : others
  if ('indexId' in order) return scanValues(set, conditions, order.indexId)
  const column = itemOrders[order.field].key
  if (column !== 'created_at' && column !== 'updated_at') return null
  return { select: (part) => rowsByTime(set, { ranges: rangesOfList(set), conditions }, { column, ...part }) }
}

function scanValues(set: ItemSet, all: readonly Condition[], indexId: string): Positions {
  const filter = all.find(({ valueRanges }) => valueRanges?.indexId === indexId)
  const ranges = filter?.valueRanges ?? { indexId, keys: allKeys, texts: [] }
  const entries = { ranges, conditions: all.filter((condition) => condition !== filter) }
  const select = (part: PagePart) => rowsByValue(set, entries, part)
  if (filter) return { select }
  const { indexRanges } = withValue(ranges)
  return {
    select,
    missing: {
      select: (part) => rowsWithoutValue(set, entries, part),
      others: () => rowsInAnyOrder(set, { ranges: indexRanges, conditions: all }),
    },
  }
}

/** Entries of indexes have the time of creation, too; other keys are looked up. */
function sorted(accessPath: AccessPath, { order, ...part }: PagePart & { order: RowOrder }): Sql {
  const { set, driving, others: conditions } = accessPath
  if (driving?.indexRanges && 'field' in order && order.field === 'createdAt')
    return rowsByTime(set, { ranges: driving.indexRanges, conditions }, { column: 'created_at', ...part })
  return sortedByLookup(candidates(accessPath), { order, ...part })
}

/**
 * Looks up the key of each item by its id: for a join, a server that misestimates the number of rows would sort all items.
 * Not nested one select deeper: there MariaDB no longer resolves `f` when the prepared statement runs again.
 */
function sortedByLookup(
  { ids, predicate }: Candidates,
  { order, direction, from, limit, offset }: PagePart & { order: RowOrder },
): Sql {
  const { row, key, missing } = keyLookup(order)
  const bound = from && sql`(select count(*) from ${row} and ${isBehind(order, direction, from)}) > 0`
  const conditions = [predicate, bound].filter((condition) => condition !== null)
  const where = conditions.length > 0 ? sql`where ${joinSql(conditions, ' and ')}` : raw('')
  const last = missing === null ? raw('') : sql`, (select ${raw(missing)} from ${row}) as missing`
  const missingLast = missing === null ? '' : 'missing, '
  return sql`select f.id, (select ${raw(key)} from ${row}) as k${last} from (${joinSql(ids, ' union all ')}) f ${where}
    order by ${raw(`${missingLast}k ${direction}, id ${direction}`)} ${limitRows({ limit, offset })}`
}

/** The row `s` that has the key of the item `f.id`, and expressions for the key and for whether it has none; null: it has one. */
function keyLookup(order: RowOrder): { row: Sql; key: string; missing: string | null } {
  if ('field' in order) {
    return { row: raw('items s where s.id = f.id'), key: `s.${itemOrders[order.field].key}`, missing: null }
  }
  const row = sql`index_values s where s.item_id = f.id and s.index_id = ${order.indexId}`
  return { row, key: 's.order_key', missing: 's.order_key is null' }
}

function isBehind(order: RowOrder, direction: Direction, from: SeekPosition): Sql {
  if ('field' in order) return after({ key: `s.${itemOrders[order.field].key}`, id: 's.id', direction }, from)
  if (from.key === null)
    return sql`s.order_key is null and ${raw(`s.item_id ${direction === 'asc' ? '>' : '<'} `)}${from.id}`
  return sql`(s.order_key is null or (${after({ key: 's.order_key', id: 's.item_id', direction }, from)}))`
}
