import { maxFilteredTotal } from '#shared/domain/limits.ts'
import { type DeliveryStatus, deliveryStatuses } from '#shared/domain/webhook/delivery.ts'
import type { Queries } from './database.ts'
import type { Direction } from './page.ts'
import { joinSql, raw, type SqlText, sql } from './sql-text.ts'

/** Deliveries of one webhook that somebody asks for. */
export type DeliverySet = {
  webhookId: string
  status?: DeliveryStatus
  /** Event types, of which it is one. */
  events?: readonly string[]
  itemId?: string
}

/** Which part of the set, in the order of ids, which is that of creation; `behind` null: from its begin. */
export type DeliveryPart = { direction: Direction; behind: string | null; limit: number; offset: number }

/**
 * The ids of a part. One range of an index for each status, merged: each is read only as far as the page goes, and only
 * those that wait, which are few, are ever sorted. With an item, the item's deliveries are one range.
 */
export async function readDeliveryIds(db: Queries, set: DeliverySet, part: DeliveryPart): Promise<string[]> {
  const { direction, behind, limit, offset } = part
  const bound = behind === null ? raw('') : sql` and id ${raw(direction === 'asc' ? '>' : '<')} ${behind}`
  const ranges = rangesOf(set).map((range) => sql`select id ${range}${bound}`)
  const rows = await all<{ id: string }>(
    db,
    sql`${joinSql(ranges, ' union all ')} order by id ${raw(direction)} limit ${limit} offset ${offset}`,
  )
  return rows.map(({ id }) => id)
}

/** How many there are, counted no further than one more than a filtered page tells. */
export async function countDeliveries(db: Queries, set: DeliverySet): Promise<number> {
  const ranges = joinSql(
    rangesOf(set).map((range) => sql`select 1 ${range}`),
    ' union all ',
  )
  const [row] = await all<{ n: number }>(
    db,
    sql`select count(*) as n from (${ranges} limit ${maxFilteredTotal + 1}) as found`,
  )
  return row?.n ?? 0
}

function rangesOf(set: DeliverySet): SqlText[] {
  const { webhookId, status, itemId } = set
  const statuses = status ? [status] : deliveryStatuses
  if (itemId === undefined) return statuses.map((each) => sql`${ofStatus(webhookId, each)}${ofEvents(set)}`)
  const withStatus = status ? sql` and status = ${status}` : raw('')
  return [sql`from deliveries where webhook_id = ${webhookId} and item_id = ${itemId}${withStatus}${ofEvents(set)}`]
}

/** What has settled has no next attempt: said here, it makes the index give the ids in order. */
function ofStatus(webhookId: string, status: DeliveryStatus): SqlText {
  const settled = raw(status === 'pending' ? '' : ' and next_attempt_at is null')
  return sql`from deliveries where webhook_id = ${webhookId} and status = ${status}${settled}`
}

function ofEvents({ events }: DeliverySet): SqlText {
  return events ? sql` and event in (select value from json_each(${JSON.stringify(events)}))` : raw('')
}

function all<R>(db: Queries, { text, bindings }: SqlText): Promise<R[]> {
  return db.all<R>(text, bindings)
}
