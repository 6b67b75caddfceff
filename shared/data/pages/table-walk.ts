import type { Queries, Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { raw, sql } from '../sql/sql.ts'
import type { OrderKey } from './page.ts'
import type { Stretch } from './stretch.ts'
import { countTableRows, endOfPresent, readTableRows, type TableRows } from './table-rows.ts'
import { type OrderedRange, walk } from './walk.ts'
import type { WalkedSet } from './walked-page.ts'

/** How the rows of an account are examined one by one. */
export type WalkedTable = {
  /** The text after the columns of a select: the table alone, and the condition that begins the index of the page's order. */
  from: Sql
  /** The parameter of a filter that requires the walk, for an error. */
  filter: string
  wording: { rows: string; narrower: string }
}

/** The rows of a table that pass filters which no index serves. */
export function walkTable(
  db: Queries,
  { rows, walked }: { rows: TableRows; walked: WalkedTable },
): WalkedSet<Row, OrderKey> {
  return {
    walkingFilter: walked.filter,
    ranges: 1,
    walk: (way) => walkRanges(db, { rows, walked }, way),
    read: (part) => readTableRows(db, rows, part),
    count: (stretch) => countTableRows(db, rows, stretch),
    total: null,
    wording: walked.wording,
  }
}

const unbounded = { lowest: null, highest: null }

/** Rows without a value follow all others, in both directions. */
async function* walkRanges(
  db: Queries,
  { rows: { id, order }, walked: { from: all } }: { rows: TableRows; walked: WalkedTable },
  way: Parameters<WalkedSet<Row, OrderKey>['walk']>[0],
): AsyncGenerator<Stretch> {
  const { key, optional } = order
  if (!optional) return yield* walk(db, [{ from: all, key, id }], { ...way, bounds: unbounded })
  const end = endOfPresent(way.direction)
  let { from } = way
  if (from?.key !== null) {
    const present: OrderedRange = { from: sql`${all} and ${raw(optional.present)}`, key, id }
    for await (const stretch of walk(db, [present], { ...way, bounds: unbounded })) {
      from = stretch.to ?? end
      yield { ...stretch, to: from }
    }
    if (from !== end) return
  }
  const missing: OrderedRange = { from: sql`${all} and ${raw(optional.missing)}`, key: null, id, leading: key }
  yield* walk(db, [missing], { ...way, from, bounds: unbounded })
}
