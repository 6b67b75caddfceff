import type { EventEntry, EventStream, EventType } from '#shared/domain/event.ts'
import { validationFailed } from '#shared/errors.ts'
import { toNumber, toText, toTextOrNull } from '../columns.ts'
import { makeCursor, readCursor } from '../cursor.ts'
import type { Queries, Row } from '../database.ts'
import { raw, sql } from '../engine/sql.ts'
import { givenIds } from '../engine/statements.ts'
import type { Page, PageRequest } from '../page.ts'
import {
  accountRanges,
  type EventFilters,
  type EventPlace,
  type EventRanges,
  type LoggedThing,
  thingRanges,
} from './event-ranges.ts'

/** Which page of a log, and whether its entries come with their snapshots. */
export type EventQuery = { request: PageRequest; filters: EventFilters; snapshots: boolean }

/**
 * One page of everything that happened in an account.
 * @throws VALIDATION_FAILED for a cursor that is not of this listing
 */
export async function readAccountLog(db: Queries, accountId: string, query: EventQuery): Promise<Page<EventEntry>> {
  const ranges = await accountRanges(db, accountId, query.filters)
  return readPage(ranges, query, (places) => readEntries(db, accountId, places, query))
}

/**
 * One page of what happened to an item, a list or an index of the account.
 * @throws VALIDATION_FAILED for a cursor that is not of this listing
 */
export async function readThingLog(db: Queries, thing: LoggedThing, query: EventQuery): Promise<Page<EventEntry>> {
  const ranges = await thingRanges(db, thing, query.filters)
  return readPage(ranges, query, (places) => readEntries(db, thing.accountId, places, query))
}

/** One entry of a thing's log, with its snapshot. */
export async function readEvent(
  db: Queries,
  { accountId, modelId }: LoggedThing,
  eventId: string,
): Promise<EventEntry | null> {
  const query = `select ${columns}, snapshot from events where id = ? and model_id = ? and account_id = ?`
  const row = await db.get(query, [eventId, modelId, accountId])
  return row ? entryFromRow(row) : null
}

/** The snapshot of an item's newest event: of a deleted one, how it was. Null: the list never had such an item. */
export async function readLastSnapshot(
  db: Queries,
  { accountId, listId, itemId }: { accountId: string; listId: string; itemId: string },
): Promise<string | null> {
  const query = `select snapshot, account_id, list_id, stream from events
    where model_id = ? order by created_at desc, id desc limit 1`
  const row = await db.get(query, [itemId])
  if (row?.account_id !== accountId || row.list_id !== listId || row.stream !== 'item') return null
  return toText(row.snapshot)
}

async function readPage(
  ranges: EventRanges,
  { request }: EventQuery,
  entriesAt: (places: readonly EventPlace[]) => Promise<EventEntry[]>,
): Promise<Page<EventEntry>> {
  const { limit, direction } = request
  if ('page' in request) {
    const { page } = request
    const offset = (page - 1) * limit
    const counted = await ranges.total()
    const beyond = offset >= counted.total && !counted.totalIsAtLeast
    const places = beyond ? [] : await ranges.places({ direction, behind: null, limit, offset })
    return { page, limit, ...counted, data: await entriesAt(places) }
  }
  const behind = request.after === '' ? null : readPlace(request.after, request)
  const places = await ranges.places({ direction, behind, limit: limit + 1, offset: 0 })
  const last = places.length > limit ? places[limit - 1] : undefined
  const next = last ? makeCursor({ key: last.createdAt, id: last.id }, request) : null
  return { limit, next, data: await entriesAt(places.slice(0, limit)) }
}

function readPlace(cursor: string, request: PageRequest): EventPlace {
  const { key, id } = readCursor(cursor, request)
  if (typeof key === 'number') return { createdAt: key, id }
  throw validationFailed([{ path: 'after', message: 'is not a cursor of this service' }])
}

/** In the order of the places; what retention deletes in the middle is left out. */
async function readEntries(
  db: Queries,
  accountId: string,
  places: readonly EventPlace[],
  { snapshots }: EventQuery,
): Promise<EventEntry[]> {
  if (places.length === 0) return []
  const ids = places.map(({ id }) => id)
  const selected = raw(snapshots ? `${columns}, snapshot` : columns)
  const rows = await db.all(
    // A cross join keeps its order: by itself SQLite begins with the account and reads all of its events.
    sql`select ${selected} from ${givenIds(ids)} cross join events
      where events.id = given.id and events.account_id = ${accountId}`,
  )
  const found = new Map(rows.map((row) => [row.id, entryFromRow(row)]))
  return places.flatMap(({ id }) => found.get(id) ?? [])
}

const columns = 'events.id, created_at, stream, type, model_id, version, actor, attachments'

function entryFromRow(row: Row): EventEntry {
  return {
    id: toText(row.id),
    createdAt: toNumber(row.created_at),
    stream: toText(row.stream) as EventStream,
    type: toText(row.type) as EventType,
    modelId: toText(row.model_id),
    version: toTextOrNull(row.version),
    actor: toText(row.actor),
    snapshot: toTextOrNull(row.snapshot),
    attachments: toTextOrNull(row.attachments),
  }
}
