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
  /** The earliest and the latest creation, in epoch milliseconds, which bound every stretch of the set. */
  startAt?: number
  endAt?: number
}

/** A part of a set in the order of ids, which is the order of creation. */
export type DeliveryStretch = Stretch<null>

/**
 * One range of an index. In the order of ids are the settled deliveries of a webhook with one status (they have no next attempt)
 * and those of an item. Not in this order, and few, are those that wait and those of an event.
 */
export type Range = { from: Sql; kind: 'settled' | 'of-item' | 'waiting' | 'of-event' }

/** A range as an index has it in the order of ids; null: none has. */
export function inOrder({ from, kind }: Range): OrderedRange | null {
  if (kind === 'settled') return { from, key: null, id: 'id', leading: 'next_attempt_at' }
  return kind === 'of-item' ? { from, key: null, id: 'id' } : null
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

/** The condition that a row of a set is in a stretch, to follow others. */
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

/** @param index the name of the index behind that of the table */
function rows(index: string, conditions: readonly Sql[]): Sql {
  return sql`from ${throughIndex('deliveries', `deliveries_${index}`)} where ${joinSql(conditions, ' and ')}`
}

/** The filters that no range follows from, but for the times. */
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
