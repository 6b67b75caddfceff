import { Conflict } from '../../conflict.ts'
import { enqueued, type NewOutboxEvent } from '../../dispatch/outbox/enqueue.ts'
import type { Step } from '../../drivers/apply-writes.ts'
import { addEntries, eventCountRows, eventCounts } from '../../events/event-counts.ts'
import { eventRows, type NewEvent } from '../../events/events.ts'
import { numbered } from '../../realtime/commit-numbers.ts'
import type { Rows } from '../../sql/insert-rows.ts'
import { sql } from '../../sql/sql.ts'
import { inList } from '../../sql/statements.ts'
import { itemRows } from '../columns.ts'
import { type IdempotencyRecord, idempotencyRecordRows } from '../idempotency-records.ts'
import { type ItemChange, isRecreation } from '../item-change.ts'
import { indexElementRows, indexValueRows, itemTagRows, itemTermRows } from '../item-rows.ts'
import { countedIn } from '../list-counters.ts'
import { withinStorage } from '../stored-bytes.ts'
import { absentItems, presentItems, type UnitProofs } from './read-proofs.ts'

/**
 * The writes of item changes, all or nothing. An update is a removal and an insert, so that creates, updates and deletes share the same
 * steps. Several changes of one item are written as one: the first names the revision that must be stored, the last is the new state. Each
 * has its event.
 *
 * The order of the steps is the lock order: items, lists, accounts, commit numbers, event counts, each sorted by its key. Lists are locked
 * late, because other processes wait for them. Invariant: the counters of lists and events, and the outbox, always agree with the items and
 * events.
 * @throws Conflict when a change of an item was not computed from the change of the same item before it
 */
export function itemWrites(
  changes: readonly ItemChange[],
  { idempotencyRecords = [], proofs = [], emitted = [], rows = [] }: RowsWithChanges = {},
): Step[] {
  const { first, last } = endsOfItems(changes)
  const isChange = changes.length > 0
  const events = changes.map(eventOf)
  const waiting = [...changes.map(outboxEventOf), ...emitted]
  return [
    ...removals(first),
    ...presentItems(proofs),
    ...(isChange ? [...insertsOf(last), { insert: eventRows(events) }] : []),
    ...(idempotencyRecords.length > 0 ? [{ insert: idempotencyRecordRows(idempotencyRecords) }] : []),
    ...first.filter(isRecreation).map((change) => staysDeleted(change, changes)),
    ...absentItems(proofs, changes),
    ...(isChange ? [countedIn(changes), ...withinStorage(changes)] : []),
    ...(waiting.length > 0 ? [enqueued(waiting)] : []),
    ...numbered(events.filter((_event, n) => changes[n]?.list.realtime)),
    ...(isChange ? [{ insert: eventCountRows(eventCounts(events)), end: addEntries }] : []),
    ...rows.map((insert) => ({ insert })),
  ]
}

/** Further rows of the transaction of changes. */
export type RowsWithChanges = {
  idempotencyRecords?: readonly IdempotencyRecord[]
  proofs?: readonly UnitProofs[]
  /** What flows have emitted. */
  emitted?: readonly NewOutboxEvent[]
  /** Rows of other tables, written last. */
  rows?: readonly Rows[]
}

function insertsOf(last: readonly ItemChange[]): Step[] {
  const items = last.map(({ after }) => after).filter((item) => item !== null)
  return [
    { insert: itemRows(items) },
    { insert: itemTagRows(items.flatMap((item) => item.tags.map((tag) => ({ item, tag })))) },
    { insert: indexValueRows(indexEntriesOf(last)) },
    ...(hasTerms(last) ? [{ insert: itemTermRows(termsOf(last)) }] : []),
    ...elementsOf(last),
  ]
}

function outboxEventOf({ event, accountId, requestId, payload }: ItemChange): NewOutboxEvent {
  return { eventId: event.id, accountId, requestId, payload, webhookIds: null }
}

function endsOfItems(changes: readonly ItemChange[]): { first: ItemChange[]; last: ItemChange[] } {
  const first = new Map<string, ItemChange>()
  const last = new Map<string, ItemChange>()
  for (const [index, change] of changes.entries()) {
    const before = last.get(change.itemId)
    if (!before) first.set(change.itemId, change)
    else if (change.expectedRevision !== (before.after?.revision ?? null)) throw new Conflict('item', index)
    last.set(change.itemId, change)
  }
  return { first: [...first.values()], last: [...last.values()] }
}

/** Removes the stored state of the items that are updated or deleted. */
function removals(changes: readonly ItemChange[]): Step[] {
  const rows = changes.flatMap(({ itemId: id, expectedRevision: revision }) =>
    revision === null ? [] : [{ id, revision }],
  )
  const parts = [
    { table: 'index_values', column: 'item_id' },
    ...(changes.some(({ arrays }) => arrays) ? [{ table: 'index_elements', column: 'item_id' }] : []),
    { table: 'item_tags', column: 'item_id' },
    ...(hasTerms(changes) ? [{ table: 'item_terms', column: 'item_id' }] : []),
  ]
  return rows.length > 0 ? [{ remove: { table: 'items', rows, parts } }] : []
}

function indexEntriesOf(changes: readonly ItemChange[]) {
  return changes.flatMap(({ after: item, indexValues }) => (item ? indexValues.map((value) => ({ item, value })) : []))
}

/** Whether any of the items is searched; if not, no statement is needed. */
function hasTerms(changes: readonly ItemChange[]): boolean {
  return changes.some(({ terms }) => terms !== undefined)
}

function termsOf(changes: readonly ItemChange[]) {
  return changes.flatMap(({ after: item, terms }) => (item && terms ? [{ item, terms }] : []))
}

/** The elements of items; lists without any need no statement. */
function elementsOf(changes: readonly ItemChange[]): Step[] {
  const entries = indexEntriesOf(changes).filter(({ value }) => value.elements !== undefined)
  return entries.length > 0 ? [{ insert: indexElementRows(entries) }] : []
}

/** Every change of an item increments its revision, a deletion too, so revisions number the item's events without gaps. */
export function eventOf({ event, accountId, itemId, list, after, expectedRevision }: ItemChange): NewEvent {
  return {
    id: event.id,
    accountId,
    createdAt: event.createdAt,
    stream: 'item',
    type: event.type,
    modelId: itemId,
    listId: list.id,
    version: event.version,
    revision: after?.revision ?? (expectedRevision ?? 0) + 1,
    actor: event.actor,
    snapshot: event.snapshot,
  }
}

/**
 * A deleted item that is created again must have the revision after that of its last event; otherwise it was restored and deleted again in
 * the meantime. Checked after the insert, because concurrent creates of the item wait for it. So the check fails for an item that the last
 * change deletes again.
 */
function staysDeleted({ itemId, after }: ItemChange, changes: readonly ItemChange[]): Step {
  const before = (after?.revision ?? 0) - 1
  const own = changes.filter((change) => change.itemId === itemId).map(({ event }) => event.id)
  const last = sql`select revision from events
    where model_id = ${itemId} and not (${inList('id', own)}) order by created_at desc, id desc limit 1`
  return { holds: sql`select id from items where id = ${itemId} and coalesce((${last}), ${before}) = ${before}` }
}
