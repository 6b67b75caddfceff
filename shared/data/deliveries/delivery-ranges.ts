import { firstIdAt } from '#shared/domain/id.ts'
import { type AttemptError, type DeliveryStatus, deliveryStatuses } from '#shared/domain/webhook/delivery.ts'
import type { StatusRange } from '#shared/domain/webhook/response-status.ts'
import type { Sql } from '../dialect.ts'
import type { PagePart } from '../pages/keyset.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { inList, throughIndex } from '../sql/statements.ts'

/** Deliveries of webhooks that pass filters. */
export type DeliverySet = DeliveryFilters & { webhookIds: readonly string[] }

export type DeliveryFilters = {
  statuses?: readonly DeliveryStatus[]
  /** The delivery's event is one of these types. */
  events?: readonly string[]
  listId?: string
  itemId?: string
  eventId?: string
  error?: AttemptError
  responseStatus?: StatusRange
  /** The earliest and the latest creation, in epoch milliseconds. */
  startAt?: number
  endAt?: number
}

/**
 * Where a read begins and ends, in the order of ids: behind `from`, or at the beginning, up to `to` and with it, or to the end.
 */
export type Stretch = Pick<PagePart, 'direction' | 'from'> & { to: string | null }

/**
 * One range of an index. In the order of ids are the settled deliveries of a webhook with one status (they have no next attempt)
 * and those of an item. Not in this order, and few, are those that wait and those of an event.
 */
export type Range = { from: Sql; kind: 'settled' | 'of-item' | 'waiting' | 'of-event' }

/** Whether an index has a range in the order of ids. */
export function isInOrder({ kind }: Range): boolean {
  return kind === 'settled' || kind === 'of-item'
}

/** The ranges that hold a set, with its filters; none: nothing passes. `from` is the text behind the columns of a select. */
export function rangesOf(set: DeliverySet): Range[] {
  const { webhookIds, statuses = deliveryStatuses, events, itemId, eventId } = set
  if (webhookIds.length === 0 || events?.length === 0) return []
  if (eventId !== undefined) {
    const ofEvent = sql`${inList('webhook_id', webhookIds)} and event_id = ${eventId}`
    return [{ from: rows('webhook_id_event_id_unique', [ofEvent, ...conditionsOf(set)]), kind: 'of-event' }]
  }
  if (itemId !== undefined) {
    const ofItem = (id: string) => sql`webhook_id = ${id} and item_id = ${itemId}`
    return webhookIds.map((id) => ({
      from: rows('webhook_id_item_id_id_index', [ofItem(id), ...conditionsOf(set)]),
      kind: 'of-item',
    }))
  }
  const { statuses: _, ...others } = set
  const conditions = conditionsOf(others)
  return webhookIds.flatMap((id) => statuses.map((status) => ofStatus(id, status, conditions)))
}

/** The ranges in order that hold a set, without the filters for which rows are looked at one by one. */
export function walkedRanges(set: DeliverySet): Range[] {
  const { webhookIds, startAt, endAt, itemId, eventId, statuses, events } = set
  if (events?.length === 0) return []
  const walked: DeliverySet = {
    webhookIds,
    ...(startAt !== undefined && { startAt }),
    ...(endAt !== undefined && { endAt }),
    ...(eventId !== undefined && { eventId }),
    ...(itemId === undefined ? statuses && { statuses } : { itemId }),
  }
  return rangesOf(walked).filter(isInOrder)
}

/**
 * The filter that makes the rows of ranges be looked at one by one, by its name in the API; null: all of each range pass. Few rows
 * have one event.
 */
export function walkingFilter(set: DeliverySet): string | null {
  if (set.eventId !== undefined) return null
  const { error, responseStatus, listId, events, itemId, statuses } = set
  if (error !== undefined) return 'error'
  if (responseStatus !== undefined) return 'responseStatus'
  if (listId !== undefined) return 'listId'
  if (events !== undefined) return 'event'
  return itemId !== undefined && statuses !== undefined ? 'status' : null
}

/** The condition on the ids of a stretch, to follow others. */
export function within({ direction, from, to }: Stretch): Sql {
  const [behind, upTo] = direction === 'asc' ? ['>', '<='] : ['<', '>=']
  return sql`${from ? sql` and id ${raw(behind)} ${from.id}` : raw('')}${to === null ? raw('') : sql` and id ${raw(upTo)} ${to}`}`
}

function ofStatus(webhookId: string, status: DeliveryStatus, conditions: readonly Sql[]): Range {
  const kind = status === 'pending' ? 'waiting' : 'settled'
  const ofWebhook = sql`webhook_id = ${webhookId} and status = ${status}`
  // A settled delivery has no next attempt; with this condition the index returns the ids in order.
  const settled = kind === 'settled' ? [raw('next_attempt_at is null')] : []
  return {
    from: rows('webhook_id_status_next_attempt_at_id_event_index', [ofWebhook, ...settled, ...conditions]),
    kind,
  }
}

/** @param index the name of the index behind that of the table */
function rows(index: string, conditions: readonly Sql[]): Sql {
  return sql`from ${throughIndex('deliveries', `deliveries_${index}`)} where ${joinSql(conditions, ' and ')}`
}

/** The filters that no range follows from. Ids begin with the time of creation. */
function conditionsOf(set: Omit<DeliverySet, 'webhookIds'>): Sql[] {
  const { statuses, events, listId, error, responseStatus, startAt, endAt } = set
  return [
    ...(startAt === undefined ? [] : [sql`id >= ${firstIdAt(startAt)}`]),
    ...(endAt === undefined ? [] : [sql`id < ${firstIdAt(endAt + 1)}`]),
    ...(statuses ? [inList('status', statuses)] : []),
    ...(events ? [inList('event', events)] : []),
    ...(listId === undefined ? [] : [sql`list_id = ${listId}`]),
    ...(error === undefined ? [] : [sql`error = ${error}`]),
    ...(responseStatus
      ? [sql`response_status >= ${responseStatus.from} and response_status <= ${responseStatus.to}`]
      : []),
  ]
}
