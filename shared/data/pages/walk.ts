import { toNumber, toText } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { limitRows } from '../sql/ordered-union.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { orderBehindNull } from '../sql/statements.ts'
import { comparePositions, type SeekPosition } from './cursor.ts'
import type { Direction, OrderKey } from './page.ts'
import { type Bounds, narrowed, type Stretch, within } from './stretch.ts'

// Filters without an index are evaluated by a walk: rows are examined one by one in the order of an existing index, up to a number per
// call.

/** Rows that an index has in the order of a walk. */
export type OrderedRange = {
  /** The text after the columns of a select: `from … where …`, to which conditions are added. */
  from: Sql
  /** SQL expressions for the key, which is a whole number or text, and the id; a key of null: the ids alone are the order. */
  key: string | null
  id: string
  /** A column that comes before them in the index and is null in all of the rows. */
  leading?: string
}

/** The rows that a call may still examine; a walk subtracts from it. */
export type RowBudget = { left: number }

/** A first round of few rows answers most questions; each later round is `growth` times as large. */
const [firstRows, growth] = [1_000, 4]

/**
 * Goes through the rows of ranges in their order, in stretches of a known number of rows. The last stretch has no end (`to` is
 * null); a walk without it has used up the budget.
 *
 * A round reads from each range where its next rows end. The nearest of these ends is the end of the stretch: up to there, every range
 * is known to have few rows. A range that has no more rows leaves the walk.
 * @param way.bounds no row outside of them is examined; the stretches are not narrowed to them
 * @param way.scanned how many other rows the reader of a stretch examines each time; they count too
 */
export async function* walk<K extends OrderKey>(
  db: Queries,
  ranges: readonly OrderedRange[],
  way: { direction: Direction; from: SeekPosition<K> | null; bounds: Bounds<K>; budget: RowBudget; scanned?: number },
): AsyncGenerator<Stretch<K>> {
  const { direction, bounds, budget, scanned = 0 } = way
  let { from } = way
  let left = ranges
  for (let rows = firstRows; ; rows *= growth) {
    if (budget.left < scanned + Math.max(left.length, 1)) return
    budget.left -= scanned
    const each = Math.max(1, Math.floor(Math.min(rows, budget.left) / Math.max(left.length, 1)))
    const heads = await readHeads<K>(db, left, { each, ...narrowed({ direction, from, to: null }, bounds) })
    for (const head of heads) budget.left -= head.rows
    left = heads.filter(({ last }) => last !== null).map(({ range }) => range)
    const to = nearest(heads, direction)
    yield { direction, from, to }
    if (to === null) return
    from = to
  }
}

/** The first rows of a range: their number, up to the requested one, and the last of that many; null: there are fewer. */
type Head<K extends OrderKey> = { range: OrderedRange; rows: number; last: SeekPosition<K> | null }

function nearest<K extends OrderKey>(heads: readonly Head<K>[], direction: Direction): SeekPosition<K> | null {
  const ends = heads.map(({ last }) => last).filter((last) => last !== null)
  return ends.sort((one, other) => comparePositions(one, other, direction))[0] ?? null
}

async function readHeads<K extends OrderKey>(
  db: Queries,
  ranges: readonly OrderedRange[],
  { each, ...stretch }: Stretch<K> & { each: number },
): Promise<Head<K>[]> {
  if (ranges.length === 0) return []
  const heads = ranges.map((range, n) => headOf(range, stretch, { each, n }))
  const rows = new Map((await db.all(joinSql(heads, ' union all '))).map((row) => [toNumber(row.n), row]))
  return ranges.map((range, n) => {
    const row = rows.get(n)
    return { range, rows: toNumber(row?.found ?? 0), last: row && row.id !== null ? positionOf<K>(range, row) : null }
  })
}

function positionOf<K extends OrderKey>({ key }: OrderedRange, { k, id }: Row): SeekPosition<K> {
  const read = key === null ? null : typeof k === 'string' ? k : toNumber(k)
  return { key: read as K, id: toText(id) }
}

/** Skips the rows in the index, so that none of them is read or returned. */
function headOf(range: OrderedRange, stretch: Stretch, { each, n }: { each: number; n: number }): Sql {
  const { direction } = stretch
  const columns = range.key === null ? [range.id] : [range.key, range.id]
  const order = columns.map((column) => `${column} ${direction}`).join(', ')
  const inOrder = range.leading === undefined ? raw(order) : orderBehindNull(`${range.leading} ${direction}`, order)
  const rows = sql`${range.from}${within(range, stretch)} order by ${inOrder}`
  const first = sql`select 1 as one ${rows} ${limitRows({ limit: each, offset: 0 })}`
  const last = sql`select ${raw(`${range.key ?? 'null'} as k, ${range.id} as id`)} ${rows} ${limitRows({ limit: 1, offset: each - 1 })}`
  return sql`select ${n} as n, found, k, id
    from (select count(*) as found from (${first}) as f) as counted left join (${last}) as p on 1 = 1`
}
