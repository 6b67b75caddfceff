import type { Delivery } from '#shared/domain/webhook/deliveries/delivery.ts'
import { toNumber } from '../columns.ts'
import type { Queries } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { joinSql, sql } from '../sql/sql.ts'
import { limitBranch, unionAllOrdered } from '../sql/statements.ts'
import { type DeliverySet, type DeliveryStretch, inOrder, inStretch, type Range, rangesOf } from './delivery-ranges.ts'

export type DeliveryId = Pick<Delivery, 'id' | 'status'>

/** The rows of a stretch to read. */
export type Part = { limit: number; offset: number }

/**
 * Some deliveries of a set in the order of their ids, which is the order of creation. Merges the ranges of the set: an ordered range is
 * read only as far as needed, and only small ranges are sorted.
 */
export async function readDeliveryIds(
  db: Queries,
  set: DeliverySet,
  { limit, offset, ...stretch }: DeliveryStretch & Part,
): Promise<DeliveryId[]> {
  const { direction } = stretch
  const ranges = rangesOf(set).map((range) => firstRows(set, range, { ...stretch, limit, offset }))
  if (ranges.length === 0 || limit === 0) return []
  return db.all<DeliveryId>(unionAllOrdered(ranges, { order: `id ${direction}`, limit, offset }))
}

/** The number of deliveries of a set in a stretch. */
export async function countDeliveries(db: Queries, set: DeliverySet, stretch: DeliveryStretch): Promise<number> {
  const counts = rangesOf(set).map(({ from }) => sql`select count(*) as n ${from}${inStretch(set, stretch)}`)
  if (counts.length === 0) return 0
  const rows = await db.all(joinSql(counts, ' union all '))
  return rows.reduce((sum, { n }) => sum + toNumber(n), 0)
}

/** Postgres reads a range in order only if the order also names the columns before the id. */
function firstRows(set: DeliverySet, range: Range, { limit, offset, ...stretch }: DeliveryStretch & Part): Sql {
  const { direction } = stretch
  const found = sql`select id, status ${range.from}${inStretch(set, stretch)}`
  if (range.kind === 'settled') {
    return limitBranch(found, { order: `next_attempt_at ${direction}, id ${direction}`, limit, offset })
  }
  if (inOrder(range)) return found
  const order = range.kind === 'waiting' ? 'next_attempt_at, id' : 'event_id, id'
  return limitBranch(found, { order, limit: Number.MAX_SAFE_INTEGER })
}
