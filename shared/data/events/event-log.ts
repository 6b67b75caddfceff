import type { EventEntry, EventStream, EventType } from '#shared/domain/event.ts'
import { shortTextBytes } from '#shared/domain/limits.ts'
import { validationFailed } from '#shared/errors.ts'
import { toNumber, toText, toTextOrNull } from '../columns.ts'
import { makeCursor, readCursor } from '../cursor.ts'
import type { Queries, Row } from '../database.ts'
import { fittingRows, type Page, type PageRequest } from '../page.ts'
import { raw, sql } from '../sql/sql.ts'
import { idTable } from '../sql/statements.ts'
import {
  accountRanges,
  type EventFilters,
  type EventPosition,
  type EventRanges,
  type EventSubjectKey,
  subjectRanges,
} from './event-ranges.ts'

/** The page of a log to read, and whether its entries include their snapshots. */
export type EventQuery = { request: PageRequest; filters: EventFilters; snapshots: boolean }

/**
 * One page of an account's event log.
 * @throws VALIDATION_FAILED for a cursor that is not of this listing
 */
export async function readAccountLog(db: Queries, accountId: string, query: EventQuery): Promise<Page<EventEntry>> {
  const ranges = await accountRanges(db, accountId, query.filters)
  return readPage(ranges, query, (positions) => readEntries(db, accountId, positions, query))
}

/**
 * One page of the events of an item, a list or an index of the account.
 * @throws VALIDATION_FAILED for a cursor that is not of this listing
 */
export async function readSubjectLog(
  db: Queries,
  subject: EventSubjectKey,
  query: EventQuery,
): Promise<Page<EventEntry>> {
  const ranges = await subjectRanges(db, subject, query.filters)
  return readPage(ranges, query, (positions) => readEntries(db, subject.accountId, positions, query))
}

/** One entry of a subject's log, with its snapshot. */
export async function findEvent(
  db: Queries,
  { accountId, modelId }: EventSubjectKey,
  eventId: string,
): Promise<EventEntry | null> {
  const query = `select ${columns}, snapshot from events where id = ? and model_id = ? and account_id = ?`
  const row = await db.get(query, [eventId, modelId, accountId])
  return row ? entryFromRow(row) : null
}

/** The snapshot of an item's newest event; for a deleted item, its last state. Null: the list has no events of such an item. */
export async function findLastSnapshot(
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
  entriesAt: (positions: readonly EventPosition[]) => Promise<Entries>,
): Promise<Page<EventEntry>> {
  const { limit, direction } = request
  if ('page' in request) {
    const { page } = request
    const offset = (page - 1) * limit
    const counted = await ranges.total()
    const beyond = offset >= counted.total && !counted.totalIsAtLeast
    const positions = beyond ? [] : await ranges.positions({ direction, after: null, limit, offset })
    return { page, limit, ...counted, data: (await entriesAt(positions)).entries }
  }
  const after = request.after === '' ? null : readPosition(request.after, request)
  const positions = await ranges.positions({ direction, after, limit: limit + 1, offset: 0 })
  const { entries, fitting } = await entriesAt(positions.slice(0, limit))
  const last = positions.length > fitting ? positions[fitting - 1] : undefined
  const next = last ? makeCursor({ key: last.createdAt, id: last.id }, request) : null
  return { limit, next, data: entries }
}

function readPosition(cursor: string, request: PageRequest): EventPosition {
  const { key, id } = readCursor(cursor, request)
  if (typeof key === 'number') return { createdAt: key, id }
  throw validationFailed([{ path: 'after', message: 'is not a cursor of this service' }])
}

/** The entries of the first `fitting` positions, in order, without those that retention has deleted meanwhile. */
type Entries = { entries: EventEntry[]; fitting: number }

async function readEntries(
  db: Queries,
  accountId: string,
  positions: readonly EventPosition[],
  { request, snapshots }: EventQuery,
): Promise<Entries> {
  const read = (ids: readonly string[], selected: string) => readRows(db, { accountId, ids, selected })
  const ids = positions.map(({ id }) => id)
  const rows = await read(ids, snapshots ? `${columns}, ${shortSnapshot}` : columns)
  const bytesOf = (id: string) => toNumber(rows.get(id)?.bytes ?? 0)
  const fitting = snapshots ? fittingRows(request, ids.map(bytesOf)) : ids.length
  const shown = ids.slice(0, fitting)
  const isLong = (id: string) => snapshots && bytesOf(id) > shortTextBytes
  const long = await read(shown.filter(isLong), 'events.id, snapshot')
  const entries = shown.flatMap((id) => {
    const row = rows.get(id)
    const rest = isLong(id) ? long.get(id) : {}
    return row && rest ? entryFromRow({ ...row, ...rest }) : []
  })
  return { entries, fitting }
}

/** The events that exist among these ids, by id. */
async function readRows(
  db: Queries,
  { accountId, ids, selected }: { accountId: string; ids: readonly string[]; selected: string },
): Promise<Map<string, Row>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all(
    // A cross join fixes the join order: otherwise SQLite begins with the account and reads all of its events.
    sql`select ${raw(selected)} from ${idTable(ids)} cross join events
      where events.id = input.id and events.account_id = ${accountId}`,
  )
  return new Map(rows.map((row) => [toText(row.id), row]))
}

const columns = 'events.id, created_at, stream, type, model_id, version, actor, attachments'

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
    version: toTextOrNull(row.version),
    actor: toText(row.actor),
    snapshot: toTextOrNull(row.snapshot),
    attachments: toTextOrNull(row.attachments),
  }
}
