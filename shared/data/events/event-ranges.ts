import { type EventStream, streamOf } from '#shared/domain/event.ts'
import { maxFilteredTotal } from '#shared/domain/limits.ts'
import { matchesText, type TextFilter } from '#shared/domain/text/filter.ts'
import type { Queries } from '../database.ts'
import type { Direction } from '../page.ts'
import type { Sql } from '../sql/dialect.ts'
import { raw, sql } from '../sql/sql.ts'
import { inList, unionAllOrdered } from '../sql/statements.ts'

/** Times in epoch milliseconds, both inclusive. */
export type EventFilters = { stream?: TextFilter; type?: TextFilter; startAt?: number; endAt?: number }

/** Where an entry stands in its log. */
export type EventPosition = { createdAt: number; id: string }

/** Which part of a log, in its order; `behind` null: from its begin. */
export type EventPart = { direction: Direction; behind: EventPosition | null; limit: number; offset: number }

export type EventTotal = { total: number; totalIsAtLeast?: true }

/** The entries of a log that pass the filters. */
export type EventRanges = {
  places(part: EventPart): Promise<EventPosition[]>
  /** Exact without filters; with filters as far as contract 1.3 counts. */
  total(): Promise<EventTotal>
}

/** What the log of one thing is found by: whoever asks has made sure that the thing is the account's. */
export type EventSubjectKey = { accountId: string; stream: EventStream; modelId: string }

/**
 * The log of an account. A page merges one range of the index per type that passes, each read only as far as the page
 * goes; totals come from the counters. So neither grows with the log, however rare the entries are that pass.
 */
export async function accountRanges(db: Queries, accountId: string, filters: EventFilters): Promise<EventRanges> {
  const counts = (await readCounts(db, accountId)).filter(({ type }) => passes(type, filters))
  const types = counts.map(({ type }) => type)
  const entries = counts.reduce((sum, count) => sum + count.entries, 0)
  return {
    async places(part) {
      if (types.length === 0) return []
      const ranges = types.map((type) => placesOf(sql`account_id = ${accountId} and type = ${type}`, filters, part))
      return readPlaces(db, ranges, part)
    },
    async total() {
      if (!isFiltered(filters)) return { total: entries }
      if (filters.startAt === undefined && filters.endAt === undefined) return filteredTotal(entries)
      return countBounded(db, sql`account_id = ${accountId} and ${inList('type', types)}`, filters)
    },
  }
}

/**
 * The log of one item, list or index. A filter on types looks through the index entries of this thing only. An item's
 * events are numbered and retention deletes the oldest, so the first and the last tell how many there are; those of a
 * list or an index are changes of settings, few enough to be counted.
 */
export async function subjectRanges(db: Queries, thing: EventSubjectKey, filters: EventFilters): Promise<EventRanges> {
  const which = sql`model_id = ${thing.modelId}${await ofTypes(db, thing, filters)}`
  return {
    places: (part) => readPlaces(db, [placesOf(which, filters, part)], part),
    async total() {
      if (isFiltered(filters)) return countBounded(db, which, filters)
      const query = thing.stream === 'item' ? numberedTotal(thing.modelId) : countedTotal(thing.modelId)
      return { total: await readNumber(db, query) }
    },
  }
}

/** A log has no streams to choose from when it is about one thing. */
async function ofTypes(db: Queries, { accountId, stream }: EventSubjectKey, filters: EventFilters): Promise<Sql> {
  if (!filters.type) return raw('')
  const types = (await readCounts(db, accountId)).map(({ type }) => type).filter((type) => streamOf(type) === stream)
  return sql` and ${inList(
    'type',
    types.filter((type) => passes(type, filters)),
  )}`
}

function readCounts(db: Queries, accountId: string): Promise<{ type: string; entries: number }[]> {
  return db.all('select type, entries from event_counts where account_id = ? order by type', [accountId])
}

function passes(type: string, filters: EventFilters): boolean {
  if (filters.stream && !matchesText(filters.stream, streamOf(type))) return false
  return !filters.type || matchesText(filters.type, type)
}

function isFiltered(filters: EventFilters): boolean {
  return Object.values(filters).some((filter) => filter !== undefined)
}

/** The places of one range of an index, for `readPlaces` to order. */
function placesOf(which: Sql, filters: EventFilters, part: EventPart): Sql {
  return sql`select created_at, id from events where ${which} and ${within(filters, part)}`
}

/** Every id lies between these. */
const beforeIds = ''
const behindIds = 'g'

/**
 * One bound of a range is a place: that of the cursor, or the filter's where that is narrower. The other one is a time.
 * The place's time stands by itself too, because MySQL compares no pairs by an index.
 */
function within({ startAt = 0, endAt = Number.MAX_SAFE_INTEGER }: EventFilters, { direction, behind }: EventPart): Sql {
  if (direction === 'desc') {
    const { createdAt, id } = behind && behind.createdAt <= endAt ? behind : { createdAt: endAt, id: behindIds }
    return sql`created_at >= ${startAt} and created_at <= ${createdAt} and (created_at, id) < (${createdAt}, ${id})`
  }
  const { createdAt, id } = behind && behind.createdAt >= startAt ? behind : { createdAt: startAt, id: beforeIds }
  return sql`created_at <= ${endAt} and created_at >= ${createdAt} and (created_at, id) > (${createdAt}, ${id})`
}

async function readPlaces(
  db: Queries,
  ranges: readonly Sql[],
  { direction, limit, offset }: EventPart,
): Promise<EventPosition[]> {
  const order = `created_at ${direction}, id ${direction}`
  const rows = await db.all<{ created_at: number; id: string }>(unionAllOrdered(ranges, { order, limit, offset }))
  return rows.map(({ created_at, id }) => ({ createdAt: created_at, id }))
}

async function countBounded(
  db: Queries,
  which: Sql,
  { startAt = 0, endAt = Number.MAX_SAFE_INTEGER }: EventFilters,
): Promise<EventTotal> {
  const found = sql`select 1 from events where ${which} and created_at >= ${startAt} and created_at <= ${endAt}`
  return filteredTotal(
    await readNumber(db, sql`select count(*) as n from (${found} limit ${maxFilteredTotal + 1}) as found`),
  )
}

function filteredTotal(entries: number): EventTotal {
  return entries <= maxFilteredTotal ? { total: entries } : { total: maxFilteredTotal, totalIsAtLeast: true }
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
