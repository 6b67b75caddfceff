import type { EventEntry } from '#shared/domain/event.ts'
import type { EventStream, EventType } from '#shared/domain/event-types.ts'
import type { Item } from '#shared/domain/item/item.ts'
import type { ItemSnapshot } from '#shared/domain/item/snapshot.ts'
import { keptItemVersions, shortTextBytes } from '#shared/domain/limits.ts'
import { toNumber, toText, toTextOrNull } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import { endPage, toPage } from '../pages/keyset.ts'
import type { Page, PageRequest } from '../pages/page.ts'
import { seenRows } from '../pages/seen-rows.ts'
import { raw, sql } from '../sql/sql.ts'
import { idTable, inList, unindexed } from '../sql/statements.ts'
import { type EventPosition, findPositions } from './event-positions.ts'
import { accountLog, type EventFilters, type EventSet, type EventSubjectKey, subjectLog } from './event-ranges.ts'

/** The page of a log to read, and whether its entries include their snapshots. */
export type EventQuery = { request: PageRequest; filters: EventFilters; snapshots: boolean }

/** Reduces an entry to what the caller sees; the page is bounded by the remaining bytes. */
type SeeEntry = (entry: EventEntry) => EventEntry

/**
 * One page of an account's event log.
 * @throws VALIDATION_FAILED for a cursor that is not of this listing; QUESTION_TOO_BROAD for a page by number that is too far back
 */
export async function readAccountLog(db: Queries, accountId: string, query: EventQuery): Promise<Page<EventEntry>> {
  return readPage(db, { set: await accountLog(db, accountId, query.filters), accountId }, query)
}

/**
 * One page of the events of an item, a list, an index or an identity of the account. It examines at most 20,000 of them. A cursor page may
 * end early, with few entries or none; `next` continues from there.
 * @throws VALIDATION_FAILED for a cursor that is not of this listing; QUESTION_TOO_BROAD for a page by number that needs more
 */
export async function readSubjectLog(
  db: Queries,
  subject: EventSubjectKey,
  query: EventQuery & { see?: SeeEntry | undefined },
): Promise<Page<EventEntry>> {
  const { accountId } = subject
  return readPage(db, { set: await subjectLog(db, subject, query.filters), accountId }, query)
}

/** One entry of a subject's log, with its snapshot. */
export async function findEvent(
  db: Queries,
  { accountId, modelId }: EventSubjectKey,
  eventId: string,
): Promise<EventEntry | null> {
  const row = await db.get(
    sql`select ${raw(columns)}, snapshot from events
      where id = ${eventId} and model_id = ${modelId} and account_id = ${accountId}`,
  )
  return row ? entryFromRow(row) : null
}

/** The subject of an entry of the log; null: the account has no such entry. */
export async function findEventSubject(
  db: Queries,
  { accountId, eventId }: { accountId: string; eventId: string },
): Promise<string | null> {
  const row = await db.get(sql`select model_id from events where id = ${eventId} and account_id = ${accountId}`)
  return row ? toText(row.model_id) : null
}

/** Item events of an account among these ids, with the revisions that they left the items with. */
export async function findItemEvents(
  db: Queries,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, ItemSnapshot & { type: string }>> {
  const rows = await db.all(
    sql`select id, type, revision, snapshot from events
      where ${inList('id', ids)} and ${unindexed('account_id')} = ${accountId}`,
  )
  return new Map(
    rows.map((row) => {
      const [type, revision, snapshot] = [toText(row.type), toNumber(row.revision), toText(row.snapshot)]
      return [toText(row.id), { type, revision, snapshot }]
    }),
  )
}

/**
 * An item's newest event, with its revision and its time in epoch milliseconds; that of a deleted item has its last state.
 * Null: the list has no events of such an item.
 */
export async function findLastEvent(
  db: Queries,
  { accountId, listId, itemId }: { accountId: string; listId: string; itemId: string },
): Promise<(ItemSnapshot & { createdAt: number }) | null> {
  const row = await db.get(sql`select snapshot, revision, created_at, account_id, list_id, stream from events
    where model_id = ${itemId} order by created_at desc, id desc limit 1`)
  if (row?.account_id !== accountId || row.list_id !== listId || row.stream !== 'item') return null
  return { snapshot: toText(row.snapshot), revision: toNumber(row.revision), createdAt: toNumber(row.created_at) }
}

/**
 * The snapshot of the newest event before a revision of an item that left it in this version, with the event's revision. Only the last
 * versions are kept (contract 2.2), including the item's current one. Null: it is not one of those.
 * @param kept how many are kept
 */
export async function findVersionSnapshot(
  db: Queries,
  { id, revision }: Pick<Item, 'id' | 'revision'>,
  version: string,
  kept: number = keptItemVersions,
): Promise<ItemSnapshot | null> {
  const rows = await db.all<{ id: string; version: string; revision: number }>(
    sql`select id, version, revision from events
      where model_id = ${id} and revision < ${revision} and type <> 'item-deleted'
      order by created_at desc, id desc limit ${kept - 1}`,
  )
  const newest = rows.find((row) => row.version === version)
  const row = newest && (await db.get(sql`select snapshot from events where id = ${newest.id}`))
  return row ? { snapshot: toText(row.snapshot), revision: newest.revision } : null
}

/** Reads a page, without entries that retention has deleted since their positions were read. */
async function readPage(
  db: Queries,
  { set, accountId }: { set: EventSet; accountId: string },
  { request, snapshots, see }: EventQuery & { see?: SeeEntry | undefined },
): Promise<Page<EventEntry>> {
  const { positions, examinedTo, examined, total } = await findPositions(db, set, request)
  const log = { accountId, snapshots }
  const read = await readFound(db, log, positions.slice(0, request.limit))
  const found = see ? await seenFound(db, log, { found: read, see }) : read
  const { rows: shown, next } = endPage(request, positions, {
    position: (at) => at,
    bytes: (_at, n) => found[n]?.bytes ?? 0,
    examinedTo,
  })
  const onPage = found.slice(0, shown.length)
  const data = see ? onPage : await withLongSnapshots(db, log, onPage)
  return toPage(request, { data: data.flatMap(({ entry }) => entry ?? []), next, examined }, total)
}

type Log = { accountId: string; snapshots: boolean }

/** The entry at a position, and the size of its snapshot, if requested; `entry` null: deleted. */
type Found = { at: EventPosition; entry: EventEntry | null; bytes: number }

/** The entries at positions, without long snapshots. */
async function readFound(
  db: Queries,
  { accountId, snapshots }: Log,
  positions: readonly EventPosition[],
): Promise<Found[]> {
  const rows = await readRows(db, {
    accountId,
    at: positions,
    selected: snapshots ? `${columns}, ${shortSnapshot}` : columns,
  })
  return positions.map((at) => {
    const row = rows.get(at.id)
    return { at, entry: row ? entryFromRow(row) : null, bytes: toNumber(row?.bytes ?? 0) }
  })
}

async function withLongSnapshots(db: Queries, { accountId }: Log, found: readonly Found[]): Promise<Found[]> {
  const isLong = ({ bytes }: Found) => bytes > shortTextBytes
  const at = found.filter(isLong).map((one) => one.at)
  const rows = await readRows(db, { accountId, at, selected: 'events.id, snapshot' })
  return found.map((one) => {
    if (!isLong(one)) return one
    const row = rows.get(one.at.id)
    return { ...one, entry: row && one.entry ? { ...one.entry, snapshot: toTextOrNull(row.snapshot) } : null }
  })
}

/** @returns the visible part of the first entries, at least as many as fit a page */
async function seenFound(
  db: Queries,
  log: Log,
  { found, see }: { found: readonly Found[]; see: SeeEntry },
): Promise<Found[]> {
  const seen = await seenRows(found, {
    bytes: ({ bytes }) => (bytes > shortTextBytes ? bytes : 0),
    complete: (part) => withLongSnapshots(db, log, part),
    see({ at, entry }) {
      const left = entry && see(entry)
      return { at, entry: left, bytes: Buffer.byteLength(left?.snapshot ?? '') }
    },
    seenBytes: ({ bytes }) => bytes,
  })
  return seen ?? [] // never null: entries do not change
}

/** The events that exist at these positions, by id. */
async function readRows(
  db: Queries,
  { accountId, at, selected }: { accountId: string; at: readonly EventPosition[]; selected: string },
): Promise<Map<string, Row>> {
  if (at.length === 0) return new Map()
  const ids = at.map(({ id }) => id)
  const rows = await db.all(
    // A cross join fixes the join order: otherwise SQLite begins with the account and reads all of its events.
    sql`select ${raw(selected)} from ${idTable(ids)} cross join events
      where events.id = input.id and events.account_id = ${accountId}`,
  )
  return new Map(rows.map((row) => [toText(row.id), row]))
}

const columns = 'events.id, created_at, stream, type, model_id, list_id, version, actor, attachments'

/** A snapshot and its size; a long snapshot is not read. */
const shortSnapshot = `coalesce(octet_length(snapshot), 0) as bytes,
  case when octet_length(snapshot) <= ${shortTextBytes} then snapshot end as snapshot`

function entryFromRow(row: Row): EventEntry {
  return {
    id: toText(row.id),
    createdAt: toNumber(row.created_at),
    stream: toText(row.stream) as EventStream,
    type: toText(row.type) as EventType,
    modelId: toText(row.model_id),
    listId: toTextOrNull(row.list_id),
    version: toTextOrNull(row.version),
    actor: toText(row.actor),
    snapshot: toTextOrNull(row.snapshot),
    attachments: toTextOrNull(row.attachments),
  }
}
