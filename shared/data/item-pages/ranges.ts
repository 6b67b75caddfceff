import { compareKeys, isInRange, type KeyRange } from '#shared/domain/item/key-filter.ts'
import type { Sql } from '../dialect.ts'
import { after } from '../pages/cursor.ts'
import type { PagePart } from '../pages/keyset.ts'
import type { Direction } from '../pages/page.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { limitBranch, rowsWithAny, throughIndex, unionAllOrdered } from '../sql/statements.ts'
import { textFilterPredicate } from '../sql/text-filter.ts'
import { type Condition, type ItemRanges, noRow, type ValueRanges } from './conditions/condition.ts'
import { keysPredicate } from './conditions/index-values.ts'
import type { ItemSet } from './item-set.ts'

// Ranges of an index. The indexes of `items` and `item_tags` begin with a prefix (the list, an owner, a tag), then have the
// two flags, then the time of creation or update. So the rows of one prefix and one combination of flags are one range of the
// index, in page order. A filter that leaves a flag open doubles the ranges, which are merged: nothing is sorted.
// The index of entries goes (index, activated, readonly, order key, item), so that the entries of one combination of flags are
// in the order of values, and a range of keys or one key is a part of them.
// Invariant: an item is in at most one range, so a union of ranges has no duplicates.

/** Rows `x` in ranges, and the conditions that they have to meet too. */
type RowsOf<Ranges> = { ranges: Ranges; conditions: readonly Condition[] }

/** All items of the list. */
export function rangesOfList({ listId }: ItemSet): ItemRanges {
  return { table: 'items', id: 'id', prefixes: [sql`list_id = ${listId}`] }
}

/** Selects the `id` of each item in ranges that meets the conditions, once; one select per range. */
export function rowsInAnyOrder(set: ItemSet, { ranges, conditions }: RowsOf<ItemRanges>): Sql[] {
  return rangesOf(set, ranges, conditions).map((range) => sql`select x.${raw(ranges.id)} as id ${range}`)
}

type TimeScan = PagePart & {
  /** The column that the index has after the flags. */
  column: 'created_at' | 'updated_at'
}

/**
 * Selects `id` and `k`, the time, of the rows in ranges that meet the conditions, in order. Each range is read in the order of
 * its index and the ranges are merged, so the first rows cost the same however many rows there are.
 */
export function rowsByTime(
  set: ItemSet,
  { ranges, conditions }: RowsOf<ItemRanges>,
  { column, direction, from, limit, offset }: TimeScan,
): Sql {
  const { id } = ranges
  const key = `x.${column}`
  const bound = from ? sql` and ${after({ key, id: `x.${id}`, direction }, from)}` : raw('')
  const rows = rangesOf(set, ranges, conditions).map(
    (range) => sql`select x.${raw(id)} as id, ${raw(key)} as k ${range}${bound}`,
  )
  return unionAllOrdered(rows, { order: `k ${direction}, id ${direction}`, limit, offset })
}

/**
 * Selects `id` and `k`, the order key, of the items whose entries have the keys and that meet the conditions, in order. A cursor
 * divides a key's range in two, the rest of the items with its key and the keys behind it: however many items have one value, a
 * page reads none that it does not show.
 */
export function rowsByValue(
  set: ItemSet,
  { ranges: { indexId, keys, texts }, conditions }: RowsOf<ValueRanges>,
  { direction, from, limit, offset }: PagePart,
): Sql {
  const ranges = keys.kind === 'range' ? [keys] : keys.keys
  const parts = ranges.flatMap((range) => partsAfter(range, { direction, from }))
  const passes = texts.map((filter) => textFilterPredicate('filter_key', filter))
  const prefixes = (parts.length > 0 ? parts : [noRow]).map((part) =>
    joinSql([ofIndex(indexId), part, ...passes], ' and '),
  )
  const order = `k ${direction}, id ${direction}`
  return unionAllOrdered(entriesIn(set, { ranges: prefixes, conditions }), { order, limit, offset })
}

/**
 * Selects `id` and `k`, which is null, of the items without a value in an index that meet the conditions, in order. They come
 * last in both directions, by a statement of their own: merged with the others by what is constant in each range, the databases
 * would sort all of them.
 */
export function rowsWithoutValue(
  set: ItemSet,
  { ranges: { indexId }, conditions }: RowsOf<Pick<ValueRanges, 'indexId'>>,
  { direction, from, limit, offset }: PagePart,
): Sql {
  const bound = from ? sql` and ${raw(`item_id ${signOf(direction)} `)}${from.id}` : raw('')
  const prefixes = [sql`${ofIndex(indexId)} and order_key is null${bound}`]
  const branch = { order: `k ${direction}, id ${direction}`, limit, offset }
  return unionAllOrdered(
    entriesIn(set, { ranges: prefixes, conditions }).map((row) => limitBranch(row, branch)),
    { order: `id ${direction}`, limit, offset },
  )
}

function ofIndex(indexId: string): Sql {
  return sql`index_id = ${indexId}`
}

function entriesIn(set: ItemSet, { ranges: prefixes, conditions }: RowsOf<readonly Sql[]>): Sql[] {
  const ranges = rangesOf(set, { table: 'index_values', id: 'item_id', prefixes }, conditions)
  return ranges.map((range) => sql`select x.item_id as id, x.order_key as k ${range}`)
}

/** One range for each prefix and each combination of the flags. */
function rangesOf(set: ItemSet, { table, id, prefixes, anyOf }: ItemRanges, conditions: readonly Condition[]): Sql[] {
  const from = table === 'index_values' ? throughIndex('index_values x', 'index_values_order_index') : raw(`${table} x`)
  const others = conditions.map((condition) => sql` and ${condition.predicate(`x.${id}`)}`)
  const flags = flagValues(set.activated).flatMap((activated) =>
    flagValues(set.readonly).map((ro) => [activated, ro] as const),
  )
  return prefixes.flatMap((prefix) =>
    flags.map(([activated, ro]) => {
      const where = sql`${prefix} and activated = ${activated} and readonly = ${ro}`
      const rows = anyOf ? rowsWithAny({ from, where, ...anyOf }) : sql`from ${from} where ${where}`
      return sql`${rows}${joinSql(others, '')}`
    }),
  )
}

function flagValues(flag: boolean | null): number[] {
  return flag === null ? [1, 0] : [Number(flag)]
}

/** The parts of a range, or of one key, that come after a position. */
function partsAfter(range: KeyRange | string, { direction, from }: Pick<PagePart, 'direction' | 'from'>): Sql[] {
  const whole = typeof range === 'string' ? sql`order_key = ${range}` : keysPredicate('order_key', range)
  if (from === null) return [whole]
  if (typeof from.key !== 'string') return [] // after all values
  const rest = sql`order_key = ${from.key} and ${raw(`item_id ${signOf(direction)} `)}${from.id}`
  if (typeof range === 'string') {
    const order = compareKeys(range, from.key) * (direction === 'asc' ? 1 : -1)
    return order === 0 ? [rest] : order > 0 ? [whole] : []
  }
  if (isInRange(range, from.key)) return [rest, keysBehind(range, from.key, direction)]
  const isAhead = compareKeys(from.key, range.min) < 0 === (direction === 'asc')
  return isAhead ? [whole] : []
}

function keysBehind({ min, end }: KeyRange, key: string, direction: Direction): Sql {
  if (direction === 'desc') return sql`order_key < ${key} and order_key >= ${min}`
  return sql`order_key > ${key}${end === null ? raw('') : sql` and order_key < ${end}`}`
}

function signOf(direction: Direction): string {
  return direction === 'asc' ? '>' : '<'
}
