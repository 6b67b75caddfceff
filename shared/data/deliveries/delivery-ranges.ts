import { maxCounted } from '#shared/domain/limits.ts'
import { type DeliveryStatus, deliveryStatuses } from '#shared/domain/webhook/delivery.ts'
import type { Queries } from '../database.ts'
import type { Sql } from '../dialect.ts'
import type { PagePart } from '../pages/keyset.ts'
import type { Direction } from '../pages/page.ts'
import { raw, sql } from '../sql/sql.ts'
import { inList, limitBranch, limitUnion, unionAllOrdered } from '../sql/statements.ts'

/** Deliveries of one webhook that pass filters. */
export type DeliverySet = {
  webhookId: string
  status?: DeliveryStatus
  /** The delivery's event is one of these types. */
  events?: readonly string[]
  itemId?: string
}

/**
 * The ids of a part of the set in the order of ids, which is the order of creation. Merges one index range per status: each is read only as far as the page goes, and only the waiting
 * deliveries, which are few, are ever sorted. With an item, the item's deliveries are one range.
 */
export async function readDeliveryIds(db: Queries, set: DeliverySet, part: PagePart): Promise<string[]> {
  const { direction, from, limit, offset } = part
  const bound = from ? sql` and id ${raw(direction === 'asc' ? '>' : '<')} ${from.id}` : raw('')
  const ranges = rangesOf(set).map(({ range, kind }) => {
    const ids = sql`select id ${range}${bound}`
    if (kind === 'of-item') return ids
    return kind === 'settled' ? settledIds(ids, { direction, limit, offset }) : waitingIds(ids)
  })
  const rows = await db.all<{ id: string }>(unionAllOrdered(ranges, { order: `id ${direction}`, limit, offset }))
  return rows.map(({ id }) => id)
}

/** The first ids of settled deliveries, which have no next attempt, so that the index has them in the order of their ids. */
export function settledIds(
  range: Sql,
  { direction, ...part }: { direction: Direction; limit: number; offset?: number },
): Sql {
  return limitBranch(range, { order: `next_attempt_at ${direction}, id ${direction}`, ...part })
}

/** All waiting deliveries, from the same index: they are few, and not in the order of their ids. */
function waitingIds(range: Sql): Sql {
  return limitBranch(range, { order: 'next_attempt_at, id', limit: Number.MAX_SAFE_INTEGER })
}

/** The number of deliveries, counted up to one more than a filtered total may be. */
export async function countDeliveries(db: Queries, set: DeliverySet): Promise<number> {
  const found = limitUnion(
    rangesOf(set).map(({ range }) => sql`select 1 ${range}`),
    maxCounted + 1,
  )
  return (await db.get<{ n: number }>(sql`select count(*) as n from (${found}) as found`))?.n ?? 0
}

type Range = { range: Sql; kind: 'waiting' | 'settled' | 'of-item' }

function rangesOf(set: DeliverySet): Range[] {
  const { webhookId, status, itemId } = set
  const statuses = status ? [status] : deliveryStatuses
  if (itemId === undefined) return statuses.map((each) => ofStatus(webhookId, each, ofEvents(set)))
  const withStatus = status ? sql` and status = ${status}` : raw('')
  const range = sql`from deliveries where webhook_id = ${webhookId} and item_id = ${itemId}${withStatus}${ofEvents(set)}`
  return [{ range, kind: 'of-item' }]
}

/** A settled delivery has no next attempt; with this condition the index returns the ids in order. */
function ofStatus(webhookId: string, status: DeliveryStatus, events: Sql): Range {
  const kind = status === 'pending' ? 'waiting' : 'settled'
  const noNextAttempt = raw(kind === 'settled' ? ' and next_attempt_at is null' : '')
  const range = sql`from deliveries where webhook_id = ${webhookId} and status = ${status}${noNextAttempt}${events}`
  return { range, kind }
}

function ofEvents({ events }: DeliverySet): Sql {
  return events ? sql` and ${inList('event', events)}` : raw('')
}
