import { streamOf } from '#shared/domain/event.ts'
import { maxCounted, maxExamined } from '#shared/domain/limits.ts'
import { type CountedEvents, type DayCount, dayMs } from '#shared/domain/stats.ts'
import { toNumber } from '../columns.ts'
import type { Queries } from '../database.ts'
import type { Sql } from '../dialect.ts'
import type { SeekPosition } from '../pages/cursor.ts'
import { type Stretch, within } from '../pages/stretch.ts'
import { type OrderedRange, walk } from '../pages/walk.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { readEventCounts } from './event-counts.ts'

/**
 * The events of an item, an index or an identity by type and day, the newest 10,000 at most: its index has the type, so that no entry is
 * read.
 */
export function countSubjectDays(db: Queries, modelId: string, most: number = maxCounted): Promise<CountedEvents> {
  return countDays(db, { ranges: [rangeOf(sql`model_id = ${modelId}`)], most, of: raw('') })
}

/**
 * The events of a list by type and day: its own, and those of its items and indexes. No index has them by list, because every write of
 * an item would pay for it. So the account's entries of these types are examined from the newest on, 20,000 at most.
 */
export async function countListDays(
  db: Queries,
  { accountId, listId }: { accountId: string; listId: string },
  most: number = maxExamined,
): Promise<CountedEvents> {
  const types = (await readEventCounts(db, accountId)).map(({ type }) => type)
  const ranges = types
    .filter((type) => ofLists.has(streamOf(type)))
    .map((type) => rangeOf(sql`account_id = ${accountId} and type = ${type}`))
  return countDays(db, { ranges, most, of: sql` and list_id = ${listId}` })
}

const ofLists: ReadonlySet<string> = new Set(['list', 'item', 'index'])

function rangeOf(condition: Sql): OrderedRange {
  return { from: sql`from events where ${condition}`, key: 'created_at', id: 'id' }
}

/** The entries to count: those of ranges that pass the condition `of`. At most `most` entries of all ranges together are examined. */
type Counting = { ranges: readonly OrderedRange[]; most: number; of: Sql }

async function countDays(db: Queries, { ranges, most, of }: Counting): Promise<CountedEvents> {
  const counts: DayCount[] = []
  let end: SeekPosition<number> | null = null
  const bounds = { lowest: null, highest: null }
  if (ranges.length === 0) return { counts, since: null }
  for await (const stretch of walk<number>(db, ranges, {
    direction: 'desc',
    from: null,
    bounds,
    budget: { left: most },
  })) {
    counts.push(...(await countStretch(db, { ranges, of }, stretch)))
    end = stretch.to
  }
  return { counts, since: end?.key ?? null }
}

async function countStretch(
  db: Queries,
  { ranges, of }: Pick<Counting, 'ranges' | 'of'>,
  stretch: Stretch<number>,
): Promise<DayCount[]> {
  const counts = ranges.map(
    (range) =>
      sql`select type, ${day} as day, count(*) as n ${range.from}${within(range, stretch)}${of} group by type, ${day}`,
  )
  const rows = await db.all<{ type: string; day: unknown; n: unknown }>(joinSql(counts, ' union all '))
  return rows.map(({ type, day: begin, n }) => ({ type, day: toNumber(begin), entries: toNumber(n) }))
}

/** The start of the day of an entry, in UTC. */
const day = raw(`created_at - created_at % ${dayMs}`)
