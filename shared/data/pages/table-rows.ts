import { toNumber } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { limitRows, limitToEnd } from '../sql/ordered-union.ts'
import { raw, sql } from '../sql/sql.ts'
import type { Order } from './orders.ts'
import type { Direction, OrderKey } from './page.ts'
import { type Stretch, within } from './stretch.ts'

/** Rows of a table, perhaps with others joined to it, in an order. */
export type TableRows = {
  table: string
  columns: Sql
  /** The column of the id. */
  id: string
  conditions: Sql
  order: Order
}

type Part = Stretch & { limit: number; offset: number }

/** The rows of a part of a stretch, with their key as `k`. Rows without a value come last in both directions: they are a separate range. */
export async function readTableRows(db: Queries, rows: TableRows, { limit, offset, ...stretch }: Part): Promise<Row[]> {
  const { present, missing } = rangesOf(rows, stretch)
  const first = present ? await readRange(db, present, { limit, offset }) : []
  if (!missing || first.length === limit) return first
  const skipped = present && offset > 0 && first.length === 0 ? await countRange(db, present) : 0
  const rest = { limit: limit - first.length, offset: first.length > 0 ? 0 : offset - skipped }
  return [...first, ...(await readRange(db, missing, rest))]
}

/** How many rows of a stretch there are, counted up to a limit. */
export async function countTableRows(db: Queries, rows: TableRows, stretch: Stretch, most?: number): Promise<number> {
  const { present, missing } = rangesOf(rows, stretch)
  const counted = present ? await countRange(db, present, most) : 0
  if (!missing || (most !== undefined && counted >= most)) return counted
  return counted + (await countRange(db, missing, most === undefined ? undefined : most - counted))
}

/** Where the rows with a value end and those without begin. */
export function endOfPresent(direction: Direction): { key: null; id: string } {
  return { key: null, id: direction === 'asc' ? '' : 'g' }
}

type Range = TableRows & { direction: Direction }

/** The parts of a stretch with and without a value; null: it does not reach them. */
function rangesOf(rows: TableRows, stretch: Stretch): { present: Range | null; missing: Range | null } {
  const { id, order, conditions } = rows
  const { direction, from, to } = stretch
  const { key, optional } = order
  const where = (range: Sql) => ({ ...rows, direction, conditions: sql`${conditions}${range}` })
  if (!optional) return { present: where(within({ key, id }, stretch)), missing: null }
  const isBehind = (position: { key: OrderKey } | null) => position !== null && position.key === null
  const ofPresent = { direction, from, to: isBehind(to) ? null : to }
  const ofMissing = { direction, from: isBehind(from) ? from : null, to }
  const present = sql` and ${raw(optional.present)}${within({ key, id }, ofPresent)}`
  const missing = sql` and ${raw(optional.missing)}${within({ key: null, id }, ofMissing)}`
  return {
    present: isBehind(from) ? null : where(present),
    missing: to !== null && !isBehind(to) ? null : where(missing),
  }
}

function readRange(
  db: Queries,
  { table, columns, id, conditions, order: { key }, direction }: Range,
  { limit, offset }: { limit: number; offset: number },
): Promise<Row[]> {
  return db.all(sql`select ${columns}, ${raw(key)} as k from ${raw(table)} where ${conditions}
    order by ${raw(`${key} ${direction}, ${id} ${direction}`)} ${limitRows({ limit, offset })}`)
}

async function countRange(db: Queries, { table, conditions }: Range, most?: number): Promise<number> {
  const end = most === undefined ? raw('') : sql` ${limitToEnd({ limit: most })}`
  const rows = sql`select 1 from ${raw(table)} where ${conditions}${end}`
  return toNumber((await db.get(sql`select count(*) as n from (${rows}) found`))?.n ?? 0)
}
