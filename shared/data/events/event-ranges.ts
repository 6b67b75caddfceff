import { streamOf } from '#shared/domain/event.ts'
import type { EventStream } from '#shared/domain/event-types.ts'
import { maxCounted } from '#shared/domain/limits.ts'
import { matchesText, type TextFilter } from '#shared/domain/text/filter.ts'
import type { Queries } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { filteredTotal } from '../pages/keyset.ts'
import type { Direction, Total } from '../pages/page.ts'
import type { Bounds } from '../pages/stretch.ts'
import type { OrderedRange } from '../pages/walk.ts'
import { raw, sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
import { readEventCounts } from './event-counts.ts'

/** Times in epoch milliseconds, both inclusive. */
export type EventFilters = { stream?: TextFilter; type?: TextFilter; startAt?: number; endAt?: number }

/** The entries of a log that pass filters. */
export type EventSet = {
  /** The ranges of an index that contain them. */
  ranges: readonly OrderedRange[]
  /** The types that pass, if ranges also contain others, which are checked one by one; null: all pass. */
  types: readonly string[] | null
  /** The times. */
  bounds: Bounds<number>
  /** Exact without filters, limited as in contract 1.3 with filters; null: only a walk finds it. */
  total: (() => Promise<Total>) | null
}

/** The item, list, index or identity that a log is about. The caller has checked that it belongs to the account. */
export type EventSubjectKey = { accountId: string; stream: EventStream; modelId: string }

/**
 * The log of an account. An index has the entries of each type in order, so a page merges one range per type that passes the filters,
 * each read only as far as the page goes; totals come from the counters. So the cost of neither grows with the log, however rare the
 * matching entries are.
 */
export async function accountLog(db: Queries, accountId: string, filters: EventFilters): Promise<EventSet> {
  const counts = (await readEventCounts(db, accountId)).filter(({ type }) => passes(type, filters))
  const types = counts.map(({ type }) => type)
  const entries = counts.reduce((sum, count) => sum + count.entries, 0)
  return {
    ranges: types.map((type) => rangeOf(sql`account_id = ${accountId} and type = ${type}`)),
    types: null,
    bounds: boundsOf(filters),
    async total() {
      if (!isFiltered(filters)) return { total: entries }
      if (!hasTimes(filters)) return filteredTotal(entries)
      return countBounded(db, sql`account_id = ${accountId} and ${inList('type', types)}`, filters)
    },
  }
}

/**
 * The log of one item, list, index or identity. An index has all its entries in order, but not the entries of one type. An item's
 * events are numbered and retention deletes the oldest, so their number follows from the first and the last. The events of the others
 * are changes of settings, which are few enough to count.
 */
export async function subjectLog(db: Queries, subject: EventSubjectKey, filters: EventFilters): Promise<EventSet> {
  const condition = sql`model_id = ${subject.modelId}`
  const set = { ranges: [rangeOf(condition)], bounds: boundsOf(filters) }
  if (filters.type) {
    const types = await typesOf(db, subject, filters)
    return { ...set, ...(types.length === 0 && { ranges: [] }), types, total: null }
  }
  return {
    ...set,
    types: null,
    async total() {
      if (hasTimes(filters)) return countBounded(db, condition, filters)
      const query = subject.stream === 'item' ? numberedTotal(subject.modelId) : countedTotal(subject.modelId)
      return { total: await readNumber(db, query) }
    },
  }
}

/** The types of the log's stream that pass. */
async function typesOf(db: Queries, { accountId, stream }: EventSubjectKey, filters: EventFilters): Promise<string[]> {
  const types = (await readEventCounts(db, accountId)).map(({ type }) => type)
  return types.filter((type) => streamOf(type) === stream && passes(type, filters))
}

function passes(type: string, filters: EventFilters): boolean {
  if (filters.stream && !matchesText(filters.stream, streamOf(type))) return false
  return !filters.type || matchesText(filters.type, type)
}

function isFiltered(filters: EventFilters): boolean {
  return Object.values(filters).some((filter) => filter !== undefined)
}

function hasTimes({ startAt, endAt }: EventFilters): boolean {
  return startAt !== undefined || endAt !== undefined
}

function rangeOf(condition: Sql): OrderedRange {
  return { from: sql`from events where ${condition}`, key: 'created_at', id: 'id' }
}

/** Every id sorts between these two. */
const beforeIds = ''
const afterIds = 'g'

function boundsOf({ startAt, endAt }: EventFilters): Bounds<number> {
  return {
    lowest: startAt === undefined ? null : { key: startAt, id: beforeIds },
    highest: endAt === undefined ? null : { key: endAt, id: afterIds },
  }
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
