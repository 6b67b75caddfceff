import type { Delivery } from '#shared/domain/webhook/delivery.ts'
import { toNumber, toText } from '../columns.ts'
import type { Queries } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { limitBranch, unionAllOrdered } from '../sql/statements.ts'
import { type DeliverySet, isInOrder, type Range, rangesOf, type Stretch, within } from './delivery-ranges.ts'

export type DeliveryId = Pick<Delivery, 'id' | 'status'>

/** Which rows of a stretch to read. */
export type Part = { limit: number; offset: number }

/**
 * Some deliveries of a set in the order of their ids, which is the order of creation. Merges the ranges of the set: one that is in
 * order is read only as far as the part goes, and only those that are few are ever sorted.
 */
export async function readDeliveryIds(
  db: Queries,
  set: DeliverySet,
  { limit, offset, ...stretch }: Stretch & Part,
): Promise<DeliveryId[]> {
  const { direction } = stretch
  const ranges = rangesOf(set).map((range) => firstRows(range, stretch, { limit, offset }))
  if (ranges.length === 0 || limit === 0) return []
  return db.all<DeliveryId>(unionAllOrdered(ranges, { order: `id ${direction}`, limit, offset }))
}

/** How many deliveries of a set are in a stretch. */
export async function countDeliveries(db: Queries, set: DeliverySet, stretch: Stretch): Promise<number> {
  const counts = rangesOf(set).map(({ from }) => sql`select count(*) as n ${from}${within(stretch)}`)
  if (counts.length === 0) return 0
  const rows = await db.all(joinSql(counts, ' union all '))
  return rows.reduce((sum, { n }) => sum + toNumber(n), 0)
}

/** The first rows of a range: how many there are, at most as many as were asked for, and the id of the last of them. */
export type Head = { rows: number; last: string }

/** The heads of ranges that are in order, behind a position; those of an empty range are absent. */
export async function readHeads<R extends Range>(
  db: Queries,
  ranges: readonly R[],
  { each, ...stretch }: Omit<Stretch, 'to'> & { each: number },
): Promise<Map<R, Head>> {
  if (ranges.length === 0) return new Map()
  const part = { limit: each, offset: 0 }
  const order = `id ${stretch.direction}`
  const last = raw(stretch.direction === 'asc' ? 'max(id)' : 'min(id)')
  const heads = ranges.map((range, n) => {
    const first = unionAllOrdered([firstRows(range, { ...stretch, to: null }, part)], { order, ...part })
    return sql`select ${n} as n, count(*) as found, ${last} as last from (${first}) as head`
  })
  const found = await db.all(joinSql(heads, ' union all '))
  const entries = found
    .filter((row) => toNumber(row.found) > 0)
    .flatMap((row): [R, Head][] => {
      const range = ranges[toNumber(row.n)]
      return range ? [[range, { rows: toNumber(row.found), last: toText(row.last) }]] : []
    })
  return new Map(entries)
}

/** Postgres reads a range in order only where the order names the columns that lead to the id, too. */
function firstRows(range: Range, stretch: Stretch, part: Part): Sql {
  const { direction } = stretch
  const found = sql`select id, status ${range.from}${within(stretch)}`
  if (range.kind === 'settled') {
    return limitBranch(found, { order: `next_attempt_at ${direction}, id ${direction}`, ...part })
  }
  if (isInOrder(range)) return found
  const order = range.kind === 'waiting' ? 'next_attempt_at, id' : 'event_id, id'
  return limitBranch(found, { order, limit: Number.MAX_SAFE_INTEGER })
}
