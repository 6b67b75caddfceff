import { type AttemptError, type DeliveryStatus, deliveryStatuses } from '#shared/domain/webhook/deliveries/delivery.ts'
import type { StatusRange } from '#shared/domain/webhook/deliveries/response-status.ts'
import type { Sql } from '../dialect.ts'
import { idBounds, narrowed, type Stretch, within } from '../pages/stretch.ts'
import type { OrderedRange } from '../pages/walk.ts'
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
  /** The earliest and latest creation, in epoch milliseconds, which bound every stretch of the set. */
  startAt?: number
  endAt?: number
}

/** A part of a set in the order of ids, which is the order of creation. */
export type DeliveryStretch = Stretch<null>

/**
 * One range of an index. Settled deliveries of a webhook with one status (they have no next attempt) and deliveries of an item are in the
 * order of ids. Waiting deliveries and those of an event are not in this order, but few.
 */
export type Range = { from: Sql; kind: 'settled' | 'of-item' | 'waiting' | 'of-event' }

/** The range in the order of ids, if an index has that order; otherwise null. */
export function inOrder({ from, kind }: Range): OrderedRange | null {
  if (kind === 'settled') return { from, key: null, id: 'id', leading: 'next_attempt_at' }
  return kind === 'of-item' ? { from, key: null, id: 'id' } : null
}

/** The ranges that contain a set, with its filters; empty: nothing passes. `from` is the SQL after the columns of a select. */
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

/** The ordered ranges that contain a set, without the filters that are checked row by row. */
export function walkedRanges({ webhookIds, itemId, eventId, statuses, events }: DeliverySet): OrderedRange[] {
  if (events?.length === 0) return []
  const walked: DeliverySet = {
    webhookIds,
    ...(eventId !== undefined && { eventId }),
    ...(itemId === undefined ? statuses && { statuses } : { itemId }),
  }
  return rangesOf(walked)
    .map(inOrder)
    .filter((range) => range !== null)
}

/** The API name of the filter that must be checked row by row; null: all rows of the ranges pass. Deliveries of one event are few. */
export function walkingFilter(set: DeliverySet): string | null {
  if (set.eventId !== undefined) return null
  const { error, responseStatus, listId, events, itemId, statuses } = set
  if (error !== undefined) return 'error'
  if (responseStatus !== undefined) return 'responseStatus'
  if (listId !== undefined) return 'listId'
  if (events !== undefined) return 'event'
  return itemId !== undefined && statuses !== undefined ? 'status' : null
}

/** The condition that a row of a set is in a stretch, to append to others. */
export function inStretch(set: DeliverySet, stretch: DeliveryStretch): Sql {
  return within({ key: null, id: 'id' }, narrowed(stretch, idBounds(set)))
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

/** @param index the name of the index, without the prefix of the table */
function rows(index: string, conditions: readonly Sql[]): Sql {
  return sql`from ${throughIndex('deliveries', `deliveries_${index}`)} where ${joinSql(conditions, ' and ')}`
}

/** The conditions of the filters that do not select a range, except for times. */
function conditionsOf(set: Omit<DeliverySet, 'webhookIds'>): Sql[] {
  const { statuses, events, listId, error, responseStatus } = set
  return [
    ...(statuses ? [inList('status', statuses)] : []),
    ...(events ? [inList('event', events)] : []),
    ...(listId === undefined ? [] : [sql`list_id = ${listId}`]),
    ...(error === undefined ? [] : [sql`error = ${error}`]),
    ...(responseStatus
      ? [sql`response_status >= ${responseStatus.from} and response_status <= ${responseStatus.to}`]
      : []),
  ]
}
