import { toNumber } from '../columns.ts'
import type { Queries } from '../database.ts'
import type { Sql } from '../dialect.ts'
import type { SeekPosition } from '../pages/cursor.ts'
import { isNumberKey, partOf } from '../pages/keyset.ts'
import type { PageRequest } from '../pages/page.ts'
import { narrowed, type Stretch, within } from '../pages/stretch.ts'
import { walk } from '../pages/walk.ts'
import { readWalked, type WalkedSet } from '../pages/walked-page.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { inList, unionAllOrdered } from '../sql/statements.ts'
import type { EventSet } from './event-ranges.ts'

/** The position of an entry in its log; the key is its time. */
export type EventPosition = SeekPosition<number>

/**
 * Which entries a page of a log shows, and the total, null for a page by cursor. It examines at most 20,000 entries.
 * @returns `examinedTo`: where a page by cursor ended, if it ended early, after examining `examined` entries
 * @throws VALIDATION_FAILED for a cursor that is not of this listing; QUESTION_TOO_BROAD for a page by number that needs more
 */
export async function findPositions(db: Queries, set: EventSet, request: PageRequest) {
  const { rows, ...end } = await readWalked(walkedSet(db, set), request, partOf(request, isNumberKey))
  return { positions: rows, ...end }
}

function walkedSet(db: Queries, set: EventSet): WalkedSet<EventPosition, number> {
  const { ranges, types, bounds, total } = set
  return {
    walkingFilter: types && 'type',
    ranges: ranges.length,
    walk: (way) => walk(db, ranges, { ...way, bounds }),
    read: (part) => readPositions(db, set, part),
    count: (stretch) => countEntries(db, set, stretch),
    total,
    wording: { rows: 'events', narrower: 'narrow the request by startAt and endAt' },
  }
}

type EventPart = Stretch<number> & { limit: number; offset: number }

async function readPositions(
  db: Queries,
  set: EventSet,
  { limit, offset, ...stretch }: EventPart,
): Promise<EventPosition[]> {
  if (set.ranges.length === 0 || limit === 0) return []
  const { direction } = stretch
  const order = `created_at ${direction}, id ${direction}`
  const ranges = entriesIn(set, stretch).map((from) => sql`select created_at, id ${from}`)
  const rows = await db.all<{ created_at: number; id: string }>(unionAllOrdered(ranges, { order, limit, offset }))
  return rows.map(({ created_at, id }) => ({ key: created_at, id }))
}

async function countEntries(db: Queries, set: EventSet, stretch: Stretch<number>): Promise<number> {
  if (set.ranges.length === 0) return 0
  const counts = entriesIn(set, stretch).map((from) => sql`select count(*) as n ${from}`)
  const rows = await db.all(joinSql(counts, ' union all '))
  return rows.reduce((sum, { n }) => sum + toNumber(n), 0)
}

/** The entries of a stretch that pass, in each range: the text after the columns of a select. */
function entriesIn({ ranges, types, bounds }: EventSet, stretch: Stretch<number>): Sql[] {
  const passing = types ? sql` and ${inList('type', types)}` : raw('')
  return ranges.map((range) => sql`${range.from}${within(range, narrowed(stretch, bounds))}${passing}`)
}
