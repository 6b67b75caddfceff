import { type EventStream, streamOf } from '#shared/domain/event.ts'
import { maxCounted } from '#shared/domain/limits.ts'
import { matchesText, type TextFilter } from '#shared/domain/text/filter.ts'
import type { Queries } from '../database.ts'
import type { Sql } from '../dialect.ts'
import type { SeekPosition } from '../pages/cursor.ts'
import { filteredTotal, type PagePart } from '../pages/keyset.ts'
import type { Direction, Total } from '../pages/page.ts'
import { raw, sql } from '../sql/sql.ts'
import { inList, unionAllOrdered } from '../sql/statements.ts'
import { readEventCounts } from './event-counts.ts'

/** Times in epoch milliseconds, both inclusive. */
export type EventFilters = { stream?: TextFilter; type?: TextFilter; startAt?: number; endAt?: number }

/** The position of an entry in its log; the key is its time. */
export type EventPosition = SeekPosition<number>

type EventPart = PagePart<number>

/** The entries of a log that pass the filters. */
export type EventRanges = {
  positions(part: EventPart): Promise<EventPosition[]>
  /** Exact without filters; with filters limited as in contract 1.3. */
  total(): Promise<Total>
}

/** The item, list or index that a log is about. The caller has checked that it belongs to the account. */
export type EventSubjectKey = { accountId: string; stream: EventStream; modelId: string }

/**
 * The log of an account. A page merges one index range per type that passes the filters, each read only as far as the page
 * goes; totals come from the counters. So the cost of neither grows with the log, however rare the matching entries are.
 */
export async function accountRanges(db: Queries, accountId: string, filters: EventFilters): Promise<EventRanges> {
  const counts = (await readEventCounts(db, accountId)).filter(({ type }) => passes(type, filters))
  const types = counts.map(({ type }) => type)
  const entries = counts.reduce((sum, count) => sum + count.entries, 0)
  return {
    async positions(part) {
      if (types.length === 0) return []
      const ranges = types.map((type) => positionsIn(sql`account_id = ${accountId} and type = ${type}`, filters, part))
      return readPositions(db, ranges, part)
    },
    async total() {
      if (!isFiltered(filters)) return { total: entries }
      if (filters.startAt === undefined && filters.endAt === undefined) return filteredTotal(entries)
      return countBounded(db, sql`account_id = ${accountId} and ${inList('type', types)}`, filters)
    },
  }
}

/**
 * The log of one item, list or index. A filter on types scans the index entries of this subject only. An item's events are
 * numbered and retention deletes the oldest, so their number follows from the first and the last; those of a list or an
 * index are changes of settings, few enough to count.
 */
export async function subjectRanges(
  db: Queries,
  subject: EventSubjectKey,
  filters: EventFilters,
): Promise<EventRanges> {
  const condition = sql`model_id = ${subject.modelId}${await typeCondition(db, subject, filters)}`
  return {
    positions: (part) => readPositions(db, [positionsIn(condition, filters, part)], part),
    async total() {
      if (isFiltered(filters)) return countBounded(db, condition, filters)
      const query = subject.stream === 'item' ? numberedTotal(subject.modelId) : countedTotal(subject.modelId)
      return { total: await readNumber(db, query) }
    },
  }
}

/** The log of one subject has one stream, so only a filter on types adds a condition. */
async function typeCondition(db: Queries, { accountId, stream }: EventSubjectKey, filters: EventFilters): Promise<Sql> {
  if (!filters.type) return raw('')
  const types = (await readEventCounts(db, accountId))
    .map(({ type }) => type)
    .filter((type) => streamOf(type) === stream)
  return sql` and ${inList(
    'type',
    types.filter((type) => passes(type, filters)),
  )}`
}

function passes(type: string, filters: EventFilters): boolean {
  if (filters.stream && !matchesText(filters.stream, streamOf(type))) return false
  return !filters.type || matchesText(filters.type, type)
}

function isFiltered(filters: EventFilters): boolean {
  return Object.values(filters).some((filter) => filter !== undefined)
}

/** Selects the positions in one index range; `readPositions` orders them. */
function positionsIn(condition: Sql, filters: EventFilters, part: EventPart): Sql {
  return sql`select created_at, id from events where ${condition} and ${bounds(filters, part)}`
}

/** Every id sorts between these two. */
const beforeIds = ''
const afterIds = 'g'

/**
 * One bound of a range is a position: the cursor's, or the filter's where that is narrower. The other bound is a time. The
 * time of the position is compared on its own too, because MySQL uses no index to compare pairs.
 */
function bounds({ startAt = 0, endAt = Number.MAX_SAFE_INTEGER }: EventFilters, { direction, from }: EventPart): Sql {
  if (direction === 'desc') {
    const { key, id } = from && from.key <= endAt ? from : { key: endAt, id: afterIds }
    return sql`created_at >= ${startAt} and created_at <= ${key} and (created_at, id) < (${key}, ${id})`
  }
  const { key, id } = from && from.key >= startAt ? from : { key: startAt, id: beforeIds }
  return sql`created_at <= ${endAt} and created_at >= ${key} and (created_at, id) > (${key}, ${id})`
}

async function readPositions(
  db: Queries,
  ranges: readonly Sql[],
  { direction, limit, offset }: EventPart,
): Promise<EventPosition[]> {
  const order = `created_at ${direction}, id ${direction}`
  const rows = await db.all<{ created_at: number; id: string }>(unionAllOrdered(ranges, { order, limit, offset }))
  return rows.map(({ created_at, id }) => ({ key: created_at, id }))
}

async function countBounded(
  db: Queries,
  condition: Sql,
  { startAt = 0, endAt = Number.MAX_SAFE_INTEGER }: EventFilters,
): Promise<Total> {
  const found = sql`select 1 from events where ${condition} and created_at >= ${startAt} and created_at <= ${endAt}`
  return filteredTotal(await readNumber(db, sql`select count(*) as n from (${found} limit ${maxCounted + 1}) as found`))
}

function numberedTotal(modelId: string): Sql {
  const revision = (direction: Direction) => {
    const order = raw(direction)
    return sql`(select revision from events where model_id = ${modelId} order by created_at ${order}, id ${order} limit 1)`
  }
  return sql`select ${revision('desc')} - ${revision('asc')} + 1 as n`
}

function countedTotal(modelId: string): Sql {
  return sql`select count(*) as n from events where model_id = ${modelId}`
}

async function readNumber(db: Queries, query: Sql): Promise<number> {
  return (await db.get<{ n: number | null }>(query))?.n ?? 0
}
