import { toBoolean } from '../columns.ts'
import { Conflict } from '../conflict.ts'
import type { Transaction } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { insertPayloads } from '../dispatch/payloads.ts'
import { countEvents, type EventCount, eventCounts, eventRows, type NewEvent } from '../events/events.ts'
import { lockLists } from '../lists/list-changes.ts'
import { insertRows, type Rows, rowMapper } from '../sql/insert-rows.ts'
import { raw, sql } from '../sql/sql.ts'
import { forShare, forUpdate, inList, locksRows, updateFrom, valuesTable } from '../sql/statements.ts'
import { type KeptRequest, keptRequestRows } from './idempotency-keys.ts'
import { type ItemChange, isRecreation } from './item-change.ts'
import { indexValueRows, itemRows, itemTagRows } from './item-rows.ts'

// Writes a group of item changes in one transaction, with a few statements for any number of changes:
// 1. lock the items to replace, and compare their revisions;
// 2. replace the items, their tags and index values, and insert the events and the idempotency keys;
// 3. add to the lists' counters, lock the accounts, and count the events;
// 4. write payloads and outbox rows for the accounts that have an active webhook.
// Several changes of one item are written as one: the first is compared with the stored revision, the last is what is stored.
// An update is a delete and an insert, so that creates, updates and deletes share the same few statements.
// The order of the steps is the lock order: items, lists, accounts, event counts, each sorted by its key.
// Invariant: the counters of lists and events, and the outbox, always agree with the items and events.

/** The rows that a group writes. */
type GroupRows = {
  changes: readonly ItemChange[]
  /** The first change of each item, whose revision is compared with the stored one. */
  firstOfItems: readonly ItemChange[]
  items: Rows
  itemTags: Rows
  indexValues: Rows
  events: Rows
  eventCounts: EventCount[]
  accountIds: string[]
  keptRequests: Rows
}

/**
 * Computes the rows of a group before it locks anything: an event for every change, and each item as its last change leaves it.
 * @throws Conflict when a change of an item was not computed from the change of the same item before it
 */
export function groupRows(changes: readonly ItemChange[], keptRequests: readonly KeptRequest[] = []): GroupRows {
  const { first, last } = endsOfItems(changes)
  const items = last.map(({ after }) => after).filter((item) => item !== null)
  return {
    changes,
    firstOfItems: first,
    items: itemRows(items),
    itemTags: itemTagRows(items.flatMap((item) => item.tags.map((tag) => ({ item, tag })))),
    indexValues: indexValueRows(indexEntriesOf(last)),
    events: eventRows(changes.map(newEvent)),
    eventCounts: eventCounts(changes.map(({ accountId, event: { type } }) => ({ accountId, type }))),
    accountIds: [...new Set(changes.map(({ accountId }) => accountId))],
    keptRequests: keptRequestRows(keptRequests),
  }
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

function indexEntriesOf(changes: readonly ItemChange[]) {
  return changes.flatMap(({ after: item, indexValues }) => (item ? indexValues.map((value) => ({ item, value })) : []))
}

/** Every change of an item increments its revision, a deletion too, so revisions number the item's events without gaps. */
export function newEvent({ event, accountId, itemId, list, after, expectedRevision }: ItemChange): NewEvent {
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
 * Writes every change of a group, in the steps above. The lists are locked late, because groups of other processes wait for
 * them: with Postgres 2 ms away, three gateways made 1.2 to 1.6 times as many creates in one list.
 * @returns the ids of the accounts whose events got outbox rows
 * @throws Conflict with the index of the change, when a list or item changed since it was computed; a unique violation when
 *   an alias is taken
 */
export async function writeGroup(tx: Transaction, group: GroupRows): Promise<string[]> {
  const { changes } = group
  const replaced = await lockReplaced(tx, group)
  const [, , , accountIds] = await tx.pipeline([
    () => writeItems(tx, group, [...replaced.keys()]),
    () => assertStillDeleted(tx, group),
    () => assertListVersions(tx, changes, replaced),
    () => lockAccounts(tx, group.accountIds),
    () => countEvents(tx, group.eventCounts),
  ])
  return enqueueOutbox(tx, changes, accountIds)
}

/** The stored items that a group updates or deletes: their ids, and whether they are activated. */
type Replaced = ReadonlyMap<string, boolean>

/**
 * Locks the items that the group updates or deletes.
 * @throws Conflict when one is gone or has another revision than its change expects
 */
async function lockReplaced(tx: Transaction, { changes, firstOfItems }: GroupRows): Promise<Replaced> {
  const expected = firstOfItems.filter(({ expectedRevision }) => expectedRevision !== null)
  if (expected.length === 0) return new Map()
  const ids = expected.map(({ itemId }) => itemId)
  const rows = await tx.all<{ id: string; revision: number; activated: unknown }>(
    sql`select id, revision, activated from items where ${inList('id', ids)} order by id ${forUpdate}`,
  )
  const revisions = new Map(rows.map(({ id, revision }) => [id, revision]))
  const outdated = expected.find(({ itemId, expectedRevision }) => revisions.get(itemId) !== expectedRevision)
  if (outdated) throw new Conflict('item', changes.indexOf(outdated))
  return new Map(rows.map(({ id, activated }) => [id, toBoolean(activated)]))
}

async function writeItems(tx: Transaction, group: GroupRows, replacedIds: readonly string[]): Promise<void> {
  await tx.pipeline([
    () => removeItems(tx, replacedIds),
    () => insertRows(tx, group.items),
    () => insertRows(tx, group.itemTags),
    () => insertRows(tx, group.indexValues),
    () => insertRows(tx, group.events),
    () => insertRows(tx, group.keptRequests),
  ])
}

/**
 * Compares the revisions of deleted items that the group has created again with those of their last events. Only after the
 * insert, because whoever else creates such an item waits for it.
 * @throws Conflict when an item was restored and deleted again since its change was computed
 */
async function assertStillDeleted(tx: Transaction, { changes, firstOfItems }: GroupRows): Promise<void> {
  const recreations = firstOfItems.filter(isRecreation)
  const last = await tx.pipeline(recreations.map((change) => () => lastOtherRevision(tx, change)))
  const outdated = recreations.find(({ after }, n) => last[n] && last[n].revision !== (after?.revision ?? 0) - 1)
  if (outdated) throw new Conflict('item', changes.indexOf(outdated))
}

function lastOtherRevision(tx: Transaction, { itemId, event }: ItemChange): Promise<{ revision: number } | undefined> {
  return tx.get(sql`select revision from events
    where model_id = ${itemId} and id <> ${event.id} order by created_at desc, id desc limit 1`)
}

async function removeItems(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.pipeline([
    () => tx.run(sql`delete from items where ${inList('id', ids)}`),
    () => tx.run(sql`delete from index_values where ${inList('item_id', ids)}`),
    () => tx.run(sql`delete from item_tags where ${inList('item_id', ids)}`),
  ])
}

/** Adds to each list's counters, and by the same update checks that its settings are those the changes were validated against. */
async function assertListVersions(tx: Transaction, changes: readonly ItemChange[], replaced: Replaced): Promise<void> {
  const rows = counterRows(changes, replaced)
  const ids = [...new Set(changes.map(({ list }) => list.id))]
  const [, updated] = await tx.pipeline([() => lockLists(tx, ids), () => tx.run(addToCounters(rows))])
  if (updated !== rows.length) throw new Conflict('list', await firstOutdated(tx, changes, ids))
}

/** What changes add to the counters of a list, if that has this version. */
export type CounterRow = { id: string; configVersion: number; items: number; deactivated: number }

/** What the changes add to the counters of each list and version. */
export function counterRows(changes: readonly ItemChange[], replaced: Replaced): CounterRow[] {
  const activated = new Map(replaced) // of each item before the change that follows
  const lists = new Map<string, CounterRow>()
  for (const { list, itemId, after } of changes) {
    const before = activated.get(itemId)
    const entry = lists.get(`${list.id} ${list.configVersion}`) ?? { ...list, items: 0, deactivated: 0 }
    entry.items += Number(after !== null) - Number(before !== undefined)
    entry.deactivated += Number(after?.activated === false) - Number(before === false)
    lists.set(`${list.id} ${list.configVersion}`, entry)
    if (after) activated.set(itemId, after.activated)
    else activated.delete(itemId)
  }
  return [...lists.values()]
}

/** The index of the first change whose list has another version by now or is gone. */
async function firstOutdated(tx: Transaction, changes: readonly ItemChange[], ids: readonly string[]): Promise<number> {
  const rows = await tx.all<{ id: string; config_version: number }>(
    sql`select id, config_version from lists where ${inList('id', ids)}`,
  )
  const versions = new Map(rows.map((row) => [row.id, row.config_version]))
  return changes.findIndex(({ list }) => versions.get(list.id) !== list.configVersion)
}

function addToCounters(counters: readonly CounterRow[]): Sql {
  const rows = counters.map(({ id, configVersion, items, deactivated }) => [id, configVersion, items, deactivated])
  return updateFrom({
    table: 'lists',
    set: {
      item_count: raw('lists.item_count + input.items'),
      deactivated_count: raw('lists.deactivated_count + input.deactivated'),
    },
    from: valuesTable({ id: 'text', version: 'int', items: 'int', deactivated: 'int' }, rows),
    where: sql`lists.id = input.id and lists.config_version = input.version`,
  })
}

/** Writes payloads and outbox rows for the accounts that have an active webhook; the others need neither. */
async function enqueueOutbox(
  tx: Transaction,
  changes: readonly ItemChange[],
  accountIds: readonly string[],
): Promise<string[]> {
  if (accountIds.length === 0) return []
  const [epochs, now] = await tx.pipeline([() => activeListenerEpochs(tx, accountIds), () => tx.now()])
  if (epochs.size === 0) return []
  const enqueued = changes.flatMap((change) => {
    const listenerEpoch = epochs.get(change.accountId)
    return listenerEpoch === undefined ? [] : [{ change, listenerEpoch, now }]
  })
  const payloads = enqueued.map(({ change: { event, payload } }) => ({ eventId: event.id, body: payload }))
  await tx.pipeline([() => insertPayloads(tx, payloads), () => insertRows(tx, outboxRows(enqueued))])
  return [...epochs.keys()]
}

const outboxRows = rowMapper<{ change: ItemChange; listenerEpoch: number; now: number }>('outbox', {
  event_id: ({ change }) => change.event.id,
  account_id: ({ change }) => change.accountId,
  request_id: ({ change }) => change.requestId,
  listener_epoch: ({ listenerEpoch }) => listenerEpoch,
  created_at: ({ now }) => now,
})

/**
 * Locks the accounts until the commit, so that a webhook is activated either before this group or after it.
 * @returns those that may have a webhook: most accounts never had one, which saves the query for active ones
 */
async function lockAccounts(tx: Transaction, accountIds: readonly string[]): Promise<readonly string[]> {
  if (!locksRows(tx)) return accountIds
  const rows = await tx.all<{ id: string; listener_epoch: number }>(
    sql`select id, listener_epoch from accounts where ${inList('id', accountIds)} order by id ${forShare}`,
  )
  return rows.filter((row) => row.listener_epoch > 0).map(({ id }) => id)
}

/**
 * The listener epochs of the accounts that have an active webhook. A separate statement after the one that locks the
 * accounts: a statement that waits for a lock still sees the webhooks as they were before it waited.
 */
async function activeListenerEpochs(tx: Transaction, accountIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx.all<{ id: string; listener_epoch: number }>(
    sql`select id, listener_epoch from accounts where ${inList('id', accountIds)}
      and exists (select 1 from webhooks where webhooks.account_id = accounts.id and webhooks.activated = 1)`,
  )
  return new Map(rows.map((row) => [row.id, row.listener_epoch]))
}
