import { shortTextBytes } from '#shared/domain/limits.ts'
import { follows, type Position } from '#shared/domain/realtime/position.ts'
import { toNumber, toNumberOrNull, toText, toTextOrNull } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import { raw, sql } from '../sql/sql.ts'
import { idTable, inList } from '../sql/statements.ts'

/** An event that streams receive, with its position in the order of commits. */
export type StreamedEvent = {
  position: Position
  id: string
  /** Epoch milliseconds. */
  createdAt: number
  /** `item-updated`, `list-created`, … */
  type: string
  modelId: string
  listId: string
  /** Null for a list. */
  revision: number | null
  /** JSON text. */
  actor: string
  /** JSON text of the item or list after the change; before it, when deleted. */
  snapshot: string
}

/** A page is limited by events and by bytes of their snapshots. It always has the first event. */
export const replayPage = { events: 100, bytes: 256 * 1024 } as const

/** `to`: where the next page begins. */
export type EventsPage = { events: StreamedEvent[]; to: Position }

/**
 * The events of an account after a position, in the order of commits, as many as fit in a page; null: there are none. `gap`:
 * retention has deleted some of them, or the position belongs to another history.
 */
export async function readEventsAfter(
  db: Queries,
  accountId: string,
  { number, at }: Position,
): Promise<EventsPage | 'gap' | null> {
  const rows = await db.all(
    sql`select r.number, r.position, r.event_id, e.created_at, e.type, e.model_id, e.list_id, e.revision, e.actor,
        coalesce(octet_length(e.snapshot), 0) as bytes,
        case when octet_length(e.snapshot) <= ${shortTextBytes} then e.snapshot end as snapshot
      from (${rowsAfter(accountId, { number, at })}) r left join events e on e.id = r.event_id
      order by r.number, r.position`,
  )
  const page = withinBytes(rows)
  if (page.length === 0) return null
  const long = page.filter(({ bytes }) => toNumber(bytes) > shortTextBytes).map(({ event_id }) => toText(event_id))
  const snapshots = await readSnapshots(db, long)
  let to = { number, at }
  const events: StreamedEvent[] = []
  for (const row of page) {
    const snapshot = toTextOrNull(row.snapshot) ?? snapshots.get(toText(row.event_id))
    const next = { number: toNumber(row.number), at: toNumber(row.position) }
    if (snapshot === undefined || !follows(next, to)) return 'gap'
    to = next
    events.push(eventFromRow(row, snapshot))
  }
  return { events, to }
}

/** Rows in the order of the table's key: first the rest of the position's commit, then later commits. */
function rowsAfter(accountId: string, { number, at }: Position) {
  return sql`select number, position, event_id from realtime_events
    where account_id = ${accountId} and number >= ${number} and (number > ${number} or position > ${at})
    order by number, position limit ${replayPage.events}`
}

function withinBytes(rows: readonly Row[]): Row[] {
  let sum = 0
  const end = rows.findIndex(({ bytes }, n) => {
    sum += toNumber(bytes)
    return n > 0 && sum > replayPage.bytes
  })
  return end < 0 ? [...rows] : rows.slice(0, end)
}

async function readSnapshots(db: Queries, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all(sql`select id, snapshot from events where ${inList('id', ids)}`)
  return new Map(rows.map((row) => [toText(row.id), toText(row.snapshot)]))
}

function eventFromRow(row: Row, snapshot: string): StreamedEvent {
  return {
    position: { number: toNumber(row.number), at: toNumber(row.position) },
    id: toText(row.event_id),
    createdAt: toNumber(row.created_at),
    type: toText(row.type),
    modelId: toText(row.model_id),
    listId: toText(row.list_id),
    revision: toNumberOrNull(row.revision),
    actor: toText(row.actor),
    snapshot,
  }
}

/** The last commit of an account that changed a realtime list, and the last of its events. */
export type LastCommit = { number: number; eventId: string }

/** The last commits of accounts; those that have none are absent. */
export async function readLastCommits(db: Queries, accountIds: readonly string[]): Promise<Map<string, LastCommit>> {
  const rows = await db.all(
    sql`select account_id, number, event_id from account_commits where ${inList('account_id', accountIds)}`,
  )
  return new Map(
    rows.map((row) => [toText(row.account_id), { number: toNumber(row.number), eventId: toText(row.event_id) }]),
  )
}

/**
 * How many events an account has from a commit on, at most one more than `most`; null: the commit has no event with this id, or
 * retention has deleted a part of the commit.
 */
export async function countFrom(
  db: Queries,
  accountId: string,
  { number, eventId, most }: LastCommit & { most: number },
): Promise<number | null> {
  const row = await db.get(
    sql`select sum(case when position = 0 then 1 else 0 end) as begins,
        sum(case when event_id = ${eventId} then 1 else 0 end) as found,
        (select count(*) from (select 1 from realtime_events where account_id = ${accountId} and number >= ${number}
          limit ${most + 1}) as behind) as events
      from realtime_events where account_id = ${accountId} and number = ${number}
        and (position = 0 or event_id = ${eventId})`,
  )
  // Both: the commit is complete, and is the one that the client has seen.
  const isThere = toNumber(row?.begins ?? 0) > 0 && toNumber(row?.found ?? 0) > 0
  return isThere ? toNumber(row?.events) : null
}

/** The state of items, lists and indexes before these events, by the ids of the events; absent where retention has deleted it. */
export async function readStatesBefore(
  db: Queries,
  eventIds: readonly string[],
): Promise<Map<string, { snapshot: string; revision: number }>> {
  if (eventIds.length === 0) return new Map()
  const before = raw(`(select b.id from events b where b.model_id = e.model_id and b.created_at < e.created_at
    order by b.created_at desc, b.id desc limit 1)`)
  const rows = await db.all(
    sql`select e.id, p.snapshot, p.revision from ${idTable(eventIds)} cross join events e
      cross join events p where e.id = input.id and p.id = ${before} and (e.revision is null or p.revision = e.revision - 1)`,
  )
  return new Map(
    rows.map((row) => [
      toText(row.id),
      { snapshot: toText(row.snapshot), revision: toNumberOrNull(row.revision) ?? 0 },
    ]),
  )
}
