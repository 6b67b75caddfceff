import { createHash } from 'node:crypto'
import type { Item } from '#shared/domain/item/item.ts'
import type { CommitOutcome, ItemChange } from './commit.ts'
import { isUniqueViolation, type Transaction } from './database.ts'
import { countEvents, eventCounts } from './events.ts'
import { insertRows } from './insert-rows.ts'
import { jsonRows } from './json-rows.ts'

/** Why a group cannot be committed as it is; with one member it is that member's outcome. */
class CommitConflict extends Error {
  override readonly name = 'CommitConflict'
  readonly outcome: CommitOutcome
  constructor(outcome: CommitOutcome) {
    super(outcome)
    this.outcome = outcome
  }
}

/** The outcome that an error of `writeGroup` stands for; null: it is an error of the database. */
export function conflictOf(error: unknown): CommitOutcome | null {
  if (error instanceof CommitConflict) return error.outcome
  return isUniqueViolation(error) ? 'alias-taken' : null
}

/**
 * Writes every change of a group: items, index values, list counters, events and their counts, payloads and outbox rows.
 * No two changes may be of the same item.
 * @returns the events that got an outbox row
 * @throws what `conflictOf` reads, when a list or item is no longer what a change was computed from
 */
export async function writeGroup(tx: Transaction, changes: readonly ItemChange[]): Promise<{ eventIds: string[] }> {
  await proveLists(tx, changes)
  const removed = await removeItems(tx, changes)
  const kept = changes.map(({ after }) => after).filter((item) => item !== null)
  await insertRows(tx, 'items', itemColumns, kept.map(itemRow))
  await insertRows(tx, 'item_tags', itemTagColumns, kept.flatMap(itemTagRows))
  await countDeactivated(tx, { removed, kept })
  await insertRows(tx, 'index_values', indexValueColumns, changes.flatMap(indexValueRows))
  await insertRows(tx, 'events', eventColumns, changes.map(eventRow))
  const eventIds = await announce(tx, changes)
  await countEvents(tx, eventCounts(changes.map(({ accountId, event: { type } }) => ({ accountId, type }))))
  return { eventIds }
}

/** Moves each list's counter, and by the same row proves that its settings are those the changes were judged by. */
async function proveLists(tx: Transaction, changes: readonly ItemChange[]): Promise<void> {
  const deltas = new Map<string, { id: string; configVersion: number; delta: number }>()
  for (const { list, expectedRevision, after } of changes) {
    const key = `${list.id} ${list.configVersion}`
    const entry = deltas.get(key) ?? { ...list, delta: 0 }
    entry.delta += Number(after !== null) - Number(expectedRevision !== null)
    deltas.set(key, entry)
  }
  const rows = [...deltas.values()].map(({ id, configVersion, delta }) => [id, configVersion, delta])
  const proven = await tx.run(
    `update lists set item_count = item_count + given.delta from ${jsonRows(['id', 'version', 'delta'])}
     where lists.id = given.id and lists.config_version = given.version`,
    [JSON.stringify(rows)],
  )
  if (proven !== rows.length) throw new CommitConflict('list-changed')
}

type Flagged = Pick<Item, 'listId' | 'activated'>

/**
 * An update is a removal of the expected revision and an insert of the new one: the same few statements for all.
 * @returns those of the removed that were not activated
 */
async function removeItems(tx: Transaction, changes: readonly ItemChange[]): Promise<Flagged[]> {
  const expected = changes
    .filter(({ expectedRevision }) => expectedRevision !== null)
    .map(({ itemId, expectedRevision }) => [itemId, expectedRevision])
  if (expected.length === 0) return []
  const rows = JSON.stringify(expected)
  const deactivated = await tx.all<{ list_id: string }>(
    `select list_id from items where id in (select id from ${jsonRows(['id'])}) and activated = 0`,
    [rows],
  )
  const removed = await tx.run(
    `delete from items where (id, revision) in (select id, revision from ${jsonRows(['id', 'revision'])})`,
    [rows],
  )
  if (removed !== expected.length) throw new CommitConflict('item-changed')
  await tx.run(`delete from index_values where item_id in (select id from ${jsonRows(['id'])})`, [rows])
  await tx.run(`delete from item_tags where item_id in (select id from ${jsonRows(['id'])})`, [rows])
  return deactivated.map(({ list_id }) => ({ listId: list_id, activated: false }))
}

/** Moves the counters of what tokens do not see; most groups have nothing to move. */
async function countDeactivated(
  tx: Transaction,
  { removed, kept }: { removed: readonly Flagged[]; kept: readonly Flagged[] },
): Promise<void> {
  const deltas = new Map<string, number>()
  const add = (delta: number) => (item: Flagged) => {
    if (!item.activated) deltas.set(item.listId, (deltas.get(item.listId) ?? 0) + delta)
  }
  removed.forEach(add(-1))
  kept.forEach(add(1))
  const moved = [...deltas].filter(([, delta]) => delta !== 0)
  if (moved.length === 0) return
  await tx.run(
    `update lists set deactivated_count = deactivated_count + given.delta from ${jsonRows(['id', 'delta'])}
     where lists.id = given.id`,
    [JSON.stringify(moved)],
  )
}

/** Payload and outbox rows of the accounts that have an active webhook now; others need neither. */
async function announce(tx: Transaction, changes: readonly ItemChange[]): Promise<string[]> {
  const accounts = [...new Set(changes.map(({ accountId }) => accountId))]
  const listening = await tx.all<{ id: string; webhook_epoch: number }>(
    `select id, webhook_epoch from accounts where id in (select id from ${jsonRows(['id'])})
     and exists (select 1 from webhooks where account_id = accounts.id and activated = 1)`,
    [JSON.stringify(accounts.map((id) => [id]))],
  )
  if (listening.length === 0) return []
  const epochs = new Map(listening.map(({ id, webhook_epoch }) => [id, webhook_epoch]))
  const announced = changes.filter(({ accountId }) => epochs.has(accountId))
  await insertRows(
    tx,
    'event_payloads',
    ['event_id', 'body'],
    announced.map(({ event, payload }) => [event.id, payload]),
  )
  const now = await tx.now()
  await insertRows(
    tx,
    'outbox',
    ['event_id', 'account_id', 'request_id', 'webhook_epoch', 'created_at'],
    announced.map(({ event, accountId, requestId }) => [event.id, accountId, requestId, epochs.get(accountId), now]),
  )
  return announced.map(({ event }) => event.id)
}

const itemColumns = [
  'id', 'account_id', 'list_id', 'created_at', 'updated_at', 'data', 'description', 'tags',
  'version', 'revision', 'readonly', 'activated', 'locked', 'size', 'identity_id',
] // biome-ignore format: one row of the table

function itemRow(item: Item): unknown[] {
  return [
    item.id, item.accountId, item.listId, item.createdAt, item.updatedAt, item.data, item.description,
    JSON.stringify(item.tags), item.version, item.revision, item.readonly, item.activated, item.locked, item.size,
    item.identity?.id ?? null,
  ] // biome-ignore format: in the order of itemColumns
}

const itemTagColumns = ['item_id', 'tag', 'list_id', 'activated', 'readonly', 'created_at']

function itemTagRows({ id, tags, listId, activated, readonly, createdAt }: Item): unknown[][] {
  return tags.map((tag) => [id, tag, listId, activated, readonly, createdAt])
}

const indexValueColumns = ['index_id', 'item_id', 'number_value', 'order_key', 'filter_key', 'alias_hash']

function indexValueRows({ itemId, indexValues }: ItemChange): unknown[][] {
  return indexValues.map(({ indexId, numberValue, orderKey, filterKey, aliasText }) => [
    indexId,
    itemId,
    numberValue,
    orderKey,
    filterKey,
    aliasText === null ? null : aliasHash(aliasText),
  ])
}

/** Alias values are compared by hash: exact on every database, whatever its collation and key length. */
export function aliasHash(value: string): string {
  return createHash('sha256').update(value, 'utf8').digest('hex')
}

const eventColumns = [
  'id', 'account_id', 'created_at', 'stream', 'type', 'model_id', 'list_id', 'version', 'revision', 'actor', 'snapshot',
] // biome-ignore format: one row of the table

/** Each change of an item takes its revision one further, a deletion too: they number its events without a gap. */
function eventRow({ event, accountId, itemId, list, after, expectedRevision }: ItemChange): unknown[] {
  return [
    event.id, accountId, event.createdAt, 'item', event.type, itemId, list.id, event.version,
    after?.revision ?? (expectedRevision ?? 0) + 1, JSON.stringify(event.actor), event.snapshot,
  ] // biome-ignore format: in the order of eventColumns
}
