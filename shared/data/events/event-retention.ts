import { keptItemVersions } from '#shared/domain/limits.ts'
import type { Database, Queries, Transaction } from '../database.ts'
import { raw, sql } from '../sql/sql.ts'
import { forUpdate, inList } from '../sql/statements.ts'
import { countEvents, type EventCount, eventCounts } from './events.ts'

/** Bytes of snapshots that one transaction deletes, or one entry. */
const batchBytes = 2 * 1024 * 1024

/** The entries of one type in one account, and up to which of them retention has looked. */
export type EventPartition = { accountId: string; type: string; examined: { at: number; id: string } }

/** Lanes in a fixed order. @param after the last one known; null: from the first */
export async function listEventPartitions(
  db: Queries,
  { after, limit }: { after: EventPartition | null; limit: number },
): Promise<EventPartition[]> {
  const rows = await db.all<LaneRow>(
    `select account_id, type, examined_at, examined_id from event_counts
     where account_id >= ? and (account_id, type) > (?, ?) order by account_id, type limit ?`,
    [after?.accountId ?? '', after?.accountId ?? '', after?.type ?? '', limit],
  )
  return rows.map((row) => ({
    accountId: row.account_id,
    type: row.type,
    examined: { at: row.examined_at, id: row.examined_id },
  }))
}

type LaneRow = { account_id: string; type: string; examined_at: number; examined_id: string }

/**
 * Goes one step through a lane: takes the oldest entries from before a time that were not examined yet, and deletes what
 * is that old of the things they are about. What a live item's last versions are read from stays (contract 2.2), however
 * old; it is looked at again when a later event of the item has grown old, its deletion for one, or the deletion of its
 * list. What still waits in the outbox stays too, and with it the rest of the lane.
 * @param options.createdUntil epoch milliseconds
 * @param options.rows most entries that the step examines and deletes: other writers wait for its transaction
 * @returns how many entries went, how long the write lock was held, and where to go on; null: the lane has nothing older
 */
export async function deleteOldEvents(
  db: Database,
  lane: EventPartition,
  { createdUntil, rows }: { createdUntil: number; rows: number },
): Promise<{ deleted: number; heldMs: number; next: EventPartition | null }> {
  const candidates = await readCandidates(db, lane, { createdUntil, rows })
  const last = candidates.at(-1)
  if (!last) return { deleted: 0, heldMs: 0, next: null }
  const things = [...new Set(candidates.map(({ model_id }) => model_id))]
  const found = await readDoomed(db, things, { createdUntil, rows })
  const doomed = withinBatch(found, rows)
  const examined = doomed.length === found.length ? { at: last.created_at, id: last.id } : lane.examined
  const next = { ...lane, examined }
  let startedAt = 0
  const deleted = await db.transaction((tx) => {
    startedAt = performance.now()
    return remove(tx, doomed, next)
  })
  return { deleted, heldMs: performance.now() - startedAt, next }
}

type Candidate = { id: string; created_at: number; model_id: string; waiting: number }

async function readCandidates(
  db: Queries,
  { accountId, type, examined }: EventPartition,
  { createdUntil, rows }: { createdUntil: number; rows: number },
): Promise<Candidate[]> {
  // A place from beyond the bound was noted by a clock that has been set back since.
  const { at, id } = examined.at <= createdUntil ? examined : { at: 0, id: '' }
  const found = await db.all<Candidate>(candidatesOfLane, [accountId, type, createdUntil, at, at, id, rows])
  const waiting = found.findIndex((row) => row.waiting === 1)
  return waiting === -1 ? found : found.slice(0, waiting)
}

const waits = 'exists (select 1 from outbox o where o.event_id = e.id)'

const candidatesOfLane = `select e.id, e.created_at, e.model_id, case when ${waits} then 1 else 0 end as waiting
  from events e where e.account_id = ? and e.type = ? and e.created_at <= ?
  and e.created_at >= ? and (e.created_at, e.id) > (?, ?)
  order by e.created_at, e.id limit ?`

/**
 * Whether an item that is still there has the entry's version among its last ones. A deletion moves the revision on
 * without a version, and a restoration follows it, so that many versions are at most twice as many revisions.
 */
const needed = `exists (select 1 from items i where i.id = e.model_id and (i.revision - e.revision < ${keptItemVersions}
  or i.revision - e.revision < ${2 * keptItemVersions} and ${keptItemVersions} > (select count(*) from events n
    where n.model_id = e.model_id and (n.created_at, n.id) > (e.created_at, e.id) and n.type <> 'item-deleted')))`

function readDoomed(
  db: Queries,
  things: readonly string[],
  { createdUntil, rows }: { createdUntil: number; rows: number },
): Promise<{ id: string; bytes: number | null }[]> {
  return db.all(sql`select e.id, octet_length(e.snapshot) as bytes from events e
    where ${inList('e.model_id', things)} and e.created_at <= ${createdUntil}
      and ${raw(`not ${waits} and not ${needed}`)} limit ${rows + 1}`)
}

/** As many as one transaction may delete, at least one. */
function withinBatch(found: readonly { id: string; bytes: number | null }[], rows: number): string[] {
  let bytes = 0
  const fitting = found.findIndex((entry, position) => {
    bytes += entry.bytes ?? 0
    return position > 0 && (position === rows || bytes > batchBytes)
  })
  return (fitting === -1 ? found : found.slice(0, fitting)).map(({ id }) => id)
}

/**
 * An item may have been restored meanwhile, so each entry is examined once more. One that is restored right now is restored
 * behind the deletion: what it is made from has been read.
 */
async function remove(
  tx: Transaction,
  ids: readonly string[],
  { accountId, type, examined }: EventPartition,
): Promise<number> {
  // Locked: whoever else deletes them counts them down.
  const rows = await tx.all<{ id: string; account_id: string; type: string }>(
    sql`select e.id, e.account_id, e.type from events e where ${inList('e.id', ids)} and ${raw(`not ${needed}`)}
      order by e.id ${forUpdate}`,
  )
  if (rows.length > 0) await removeCounted(tx, rows)
  await tx.run('update event_counts set examined_at = ?, examined_id = ? where account_id = ? and type = ?', [
    ...[examined.at, examined.id, accountId, type],
  ])
  if (rows.some((row) => row.type === 'list-deleted')) await examineItemsAgain(tx, accountId)
  return rows.length
}

async function removeCounted(
  tx: Transaction,
  rows: readonly { id: string; account_id: string; type: string }[],
): Promise<void> {
  const ids = rows.map(({ id }) => id)
  await tx.run(sql`delete from events where ${inList('id', ids)}`)
  const events = rows.map((row) => ({ accountId: row.account_id, type: row.type }))
  const counts = eventCounts(events).map(([account, of, entries]): EventCount => [account, of, -entries])
  await countEvents(tx, counts)
}

/** The items of a deleted list go without events of their own, so their entries that were kept are found only this way. */
async function examineItemsAgain(tx: Queries, accountId: string): Promise<void> {
  const itemTypes = "type >= 'item-' and type < 'item.'"
  await tx.run(`update event_counts set examined_at = 0, examined_id = '' where account_id = ? and ${itemTypes}`, [
    accountId,
  ])
}
