import type { ItemOrder } from '#shared/domain/item/filters.ts'
import { allKeys, isInRange, type KeyRange } from '#shared/domain/item/questions/key-filter.ts'
import { compareTexts } from '#shared/json/compare/compare-texts.ts'
import type { RangePart, Sql } from '../dialect.ts'
import { itemOrderColumns } from '../items/columns.ts'
import { after } from '../pages/cursor.ts'
import type { PagePart } from '../pages/keyset.ts'
import type { Direction } from '../pages/page.ts'
import { limitRows } from '../sql/ordered-union.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { limitBranch, unionAllOrdered } from '../sql/statements.ts'
import {
  type Condition,
  type ItemRanges,
  lookedThrough,
  noRow,
  type RangesByCreation,
  type TimeRange,
  type ValueRanges,
} from './conditions/condition.ts'
import { keysPredicate } from './conditions/index-values.ts'
import type { ItemSet } from './item-set.ts'
import { rangesOf, rangesOfList } from './ranges.ts'

// Rows that an index has in the order of a page, and which index that is. Each range is read in the order of its index and the ranges are
// merged, so the first rows cost the same for any number of rows.

/** Rows in the order of a page, which include the items of a set. */
export type Source = {
  /**
   * Selects `id` and `k`, the key, of the rows of a part, in order, and the columns that the checks read. It filters by the ranges only,
   * so no more rows than the part's are read.
   */
  rows(part: SourcePart): Sql
  /** The order of the rows, as the text after `order by`. */
  order(direction: Direction): string
  /**
   * How many ranges are merged. A server reads each of them as far as a part goes. Ranges that differ only in flags count as one, because
   * most items of a list have the same flags.
   */
  ranges: number
  /** The conditions that a row `f` has to meet to be an item of the set. */
  checks: readonly Sql[]
  /** The array indexes whose elements the checks read, as in `Condition`. */
  looksThrough?: readonly string[]
  /** How many rows there are at most; absent: any number. */
  atMost?: number
}

type Checks = Pick<Source, 'checks' | 'looksThrough'>

export type SourcePart = PagePart & Pick<RangePart, 'few'>

/** By a field, or by the values of an index: `indexId` is its `valuesId`. */
export type RowOrder = { field: ItemOrder } | { indexId: string }

/** The rows of a condition in the page's order; null: no index has this order. */
export function rowsOfCondition(set: ItemSet, condition: Condition, order: RowOrder): Source | null {
  const { anyOf, valueRanges, byCreation, times } = condition
  if (anyOf) {
    const sources = anyOf.flatMap((branch) => rowsOfCondition(set, branch, order) ?? [])
    const isMerged = sources.length === anyOf.length && sources.every(({ checks }) => checks.length === 0)
    return isMerged ? eitherOf(sources, checksBy(anyOf.some(({ isBroader }) => isBroader) ? [condition] : [])) : null
  }
  if ('indexId' in order) return valueRanges?.indexId === order.indexId ? entriesByValue(set, valueRanges) : null
  if (byCreation && order.field === 'createdAt') return inOrderOfCreation(set, byCreation)
  return times && times.column === itemOrderColumns[order.field]
    ? rowsByTime(set, rangesOfList(set), times.column, times)
    : null
}

/**
 * All items of the list in the page's order, or those with the values that the page filters by, and the checks of the conditions; null:
 * no index has this order.
 */
export function rowsOfList(set: ItemSet, conditions: readonly Condition[], order: RowOrder): Source[] | null {
  if ('field' in order) {
    const column = itemOrderColumns[order.field]
    if (column !== 'created_at' && column !== 'updated_at') return null
    const times = conditions.find((condition) => condition.times?.column === column)?.times
    return [checked(rowsByTime(set, rangesOfList(set), column, times), conditions)]
  }
  const { indexId } = order
  if (conditions.some(({ lacks }) => lacks === indexId)) return [checked(entriesWithoutValue(set, indexId), conditions)]
  const filter = conditions.find(({ valueRanges }) => valueRanges?.indexId === indexId)
  const values = entriesByValue(set, filter?.valueRanges ?? { indexId, keys: allKeys })
  const withValue = checked(
    values,
    conditions.filter((condition) => condition !== filter),
  )
  const needsValue = conditions.some(({ index }) => index === indexId)
  return needsValue ? [withValue] : [withValue, checked(entriesWithoutValue(set, indexId), conditions)]
}

/** The same rows, with the checks of these conditions added. */
export function checked(source: Source, conditions: readonly Condition[]): Source {
  const { checks, looksThrough = [] } = checksBy(conditions)
  return {
    ...source,
    checks: [...source.checks, ...checks],
    looksThrough: [...(source.looksThrough ?? []), ...looksThrough],
  }
}

function checksBy(conditions: readonly Condition[]): Checks {
  return { checks: conditions.map(({ predicate }) => predicate('f.id')), looksThrough: lookedThrough(conditions) }
}

/** Rows in the order of a time. @param column the one that follows the flags in the index */
function rowsByTime(
  set: ItemSet,
  { distinct, ...ranges }: RangesByCreation,
  column: TimeRange['column'],
  times?: TimeRange,
): Source {
  const { id } = ranges
  const key = `x.${column}`
  const distinctColumn = distinct ? `, x.${distinct.column}` : ''
  const selects = rangesOf(set, ranges).map(
    (range) => sql`select ${raw(`x.${id} as id, ${key} as k${distinctColumn}`)} ${range}`,
  )
  // The row that counts is the first of an item's rows: a walk that ends between them has examined it.
  const tie = distinct ? `, ${distinct.column}` : ''
  const order = (direction: Direction) => `k ${direction}, id ${direction}${tie}`
  return {
    rows({ direction, from, ...part }) {
      const bound = from ? sql` and ${after({ key, id: `x.${id}`, direction }, from)}` : raw('')
      const within = times ? timeBounds(key, times, { direction, from }) : raw('')
      const behind = selects.map((select) => sql`${select}${bound}${within}`)
      return unionAllOrdered(behind, { order: order(direction), ...part })
    },
    order,
    ranges: ranges.prefixes.length,
    checks: distinct ? [distinct.counts] : [],
  }
}

/**
 * The bounds of a period of time, without the side that the position already bounds: of two bounds on one side, SQLite may read from
 * either.
 */
function timeBounds(
  key: string,
  { min, max }: TimeRange,
  { direction, from }: Pick<PagePart, 'direction' | 'from'>,
): Sql {
  const lower = min !== null && !(from && direction === 'asc') ? sql` and ${raw(key)} >= ${min}` : raw('')
  const upper = max !== null && !(from && direction === 'desc') ? sql` and ${raw(key)} <= ${max}` : raw('')
  return sql`${lower}${upper}`
}

/**
 * The items of several sources, each once. As many rows as the part needs are read from each source, which are few to sort.
 * @param checks the conditions that the rows have to meet, where a source also has other items
 */
function eitherOf(sources: readonly Source[], checks: Checks): Source {
  const order = (direction: Direction) => `k ${direction}, id ${direction}`
  return {
    rows({ limit, offset, ...part }) {
      const rows = sources.map(
        (source) => sql`select b.id, b.k from (${source.rows({ ...part, limit: limit + offset, offset: 0 })}) b`,
      )
      return sql`select u.id, u.k from (${joinSql(rows, ' union all ')}) u group by u.id, u.k
        order by ${raw(order(part.direction))} ${limitRows({ ...part, limit, offset })}`
    },
    order,
    ranges: sources.reduce((ranges, source) => ranges + source.ranges, 0),
    ...checks,
  }
}

/** The rows of ranges that are in order of creation. */
export function inOrderOfCreation(set: ItemSet, ranges: RangesByCreation): Source {
  const ofEntries = ranges.table === 'index_values' || ranges.table === 'index_elements'
  return ofEntries ? entriesById(set, ranges) : rowsByTime(set, ranges, 'created_at')
}

/** Entries that each have one key, in the order of their items' ids. */
function entriesById(set: ItemSet, ranges: ItemRanges): Source {
  const selects = rangesOf(set, ranges).map((range) => sql`select x.item_id as id, x.created_at as k ${range}`)
  const order = (direction: Direction) => `id ${direction}`
  return {
    rows({ direction, from, ...part }) {
      const behind = selects.map((select) => (from ? sql`${select} and ${isBehind(from.id, direction)}` : select))
      return unionAllOrdered(behind, { order: order(direction), ...part })
    },
    order,
    ranges: ranges.prefixes.length,
    checks: [],
  }
}

/**
 * Entries in the order of their keys. A cursor divides a range of keys in two: the rest of the items with the cursor's key, and the keys
 * after it. So a page reads no item that it does not show, however many items have one value.
 */
function entriesByValue(set: ItemSet, { indexId, keys }: ValueRanges): Source {
  const ranges = keys.kind === 'range' ? [keys] : keys.keys
  const order = (direction: Direction) => `k ${direction}, id ${direction}`
  return {
    rows({ direction, from, ...part }) {
      const parts = ranges.flatMap((range) => partsAfter(range, { direction, from }))
      const selects = entriesIn(set, indexId, parts.length > 0 ? parts : [noRow])
      return unionAllOrdered(selects, { order: order(direction), ...part })
    },
    order,
    // A cursor divides a range.
    ranges: keys.kind === 'range' ? 2 : keys.keys.length,
    checks: [],
  }
}

/**
 * Entries without a value, whose key is null, in the order of their items' ids. They come last in both directions and are read by a
 * separate statement: merged with the others by a constant of each range, the databases would sort all of them.
 */
function entriesWithoutValue(set: ItemSet, indexId: string): Source {
  const order = (direction: Direction) => `id ${direction}`
  return {
    rows({ direction, from, ...part }) {
      const bound = from ? sql` and ${isBehind(from.id, direction)}` : raw('')
      const selects = entriesIn(set, indexId, [sql`x.order_key is null${bound}`])
      const branch = { order: `k ${direction}, id ${direction}`, ...part }
      return unionAllOrdered(
        selects.map((select) => limitBranch(select, branch)),
        { order: order(direction), ...part },
      )
    },
    order,
    ranges: 1,
    checks: [],
  }
}

function entriesIn(set: ItemSet, indexId: string, parts: readonly Sql[]): Sql[] {
  const prefixes = parts.map((part) => sql`x.index_id = ${indexId} and ${part}`)
  const ranges = rangesOf(set, { table: 'index_values', id: 'item_id', prefixes })
  return ranges.map((range) => sql`select x.item_id as id, x.order_key as k ${range}`)
}

/** The parts of a range, or of one key, after a position. */
function partsAfter(range: KeyRange | string, { direction, from }: Pick<PagePart, 'direction' | 'from'>): Sql[] {
  const whole = typeof range === 'string' ? sql`x.order_key = ${range}` : keysPredicate('x.order_key', range)
  if (from === null) return [whole]
  if (typeof from.key !== 'string') return [] // after all values
  const rest = sql`x.order_key = ${from.key} and ${isBehind(from.id, direction)}`
  if (typeof range === 'string') {
    const order = compareTexts(range, from.key) * (direction === 'asc' ? 1 : -1)
    return order === 0 ? [rest] : order > 0 ? [whole] : []
  }
  if (isInRange(range, from.key)) return [rest, keysBehind(range, from.key, direction)]
  const isAhead = compareTexts(from.key, range.min) < 0 === (direction === 'asc')
  return isAhead ? [whole] : []
}

function keysBehind({ min, end }: KeyRange, key: string, direction: Direction): Sql {
  if (direction === 'desc') return sql`x.order_key < ${key} and x.order_key >= ${min}`
  return sql`x.order_key > ${key}${end === null ? raw('') : sql` and x.order_key < ${end}`}`
}

function isBehind(id: string, direction: Direction): Sql {
  return sql`x.item_id ${raw(direction === 'asc' ? '>' : '<')} ${id}`
}
