import { compareKeys, isInRange, type KeyRange } from '#shared/domain/item/key-filter.ts'
import type { Sql } from '../dialect.ts'
import type { PagePart } from '../pages/keyset.ts'
import type { Direction } from '../pages/page.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { limitBranch, unionAllOrdered } from '../sql/statements.ts'
import { textFilterPredicate } from '../sql/text-filter.ts'
import { rangesOf } from './item-ranges.ts'
import { type Condition, type ItemSet, keysPredicate, noRow, type ValueRanges } from './item-set.ts'

// Ranges of an index's entries in the order of its values. The index of entries goes (index, activated, readonly, order key,
// item), so that the entries of one combination of flags are in page order, and a range of keys or one key is a part of them.
// A cursor divides a key's range in two, the rest of the items with its key and the keys behind it: however many items have
// one value, a page reads none that it does not show. Entries without a key come last in both directions, and are read by a
// statement of their own: merged with the others by what is constant in each range, the databases would sort all of them.

type Entries = { ranges: ValueRanges; conditions: readonly Condition[] }

/** Selects `id` and `k`, the order key, of the items whose entries have the keys and that meet the conditions, in order. */
export function valuesInOrder(
  set: ItemSet,
  { ranges: { indexId, keys, texts }, conditions }: Entries,
  { direction, from, limit, offset }: PagePart,
): Sql {
  const ranges = keys.kind === 'range' ? [keys] : keys.keys
  const parts = ranges.flatMap((range) => partsAfter(range, { direction, from }))
  const passes = texts.map((filter) => textFilterPredicate('filter_key', filter))
  const prefixes = (parts.length > 0 ? parts : [noRow]).map((part) =>
    joinSql([ofIndex(indexId), part, ...passes], ' and '),
  )
  const rows = entriesIn(rangesOf(set, { table: 'index_values', id: 'item_id', prefixes }, conditions))
  return unionAllOrdered(rows, { order: `k ${direction}, id ${direction}`, limit, offset })
}

/** Selects `id` and `k`, which is null, of the items without a value in an index that meet the conditions, in order. */
export function missingInOrder(
  set: ItemSet,
  { ranges: { indexId }, conditions }: Entries,
  { direction, from, limit, offset }: PagePart,
): Sql {
  const bound = from ? sql` and ${raw(`item_id ${signOf(direction)} `)}${from.id}` : raw('')
  const prefixes = [sql`${ofIndex(indexId)} and order_key is null${bound}`]
  const rows = entriesIn(rangesOf(set, { table: 'index_values', id: 'item_id', prefixes }, conditions))
  const branch = { order: `k ${direction}, id ${direction}`, limit, offset }
  return unionAllOrdered(
    rows.map((row) => limitBranch(row, branch)),
    { order: `id ${direction}`, limit, offset },
  )
}

function ofIndex(indexId: string): Sql {
  return sql`index_id = ${indexId}`
}

function entriesIn(ranges: readonly Sql[]): Sql[] {
  return ranges.map((range) => sql`select x.item_id as id, x.order_key as k ${range}`)
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
