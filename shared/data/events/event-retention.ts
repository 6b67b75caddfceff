import { keptItemVersions } from '#shared/domain/limits.ts'
import { byKey } from '#shared/json/by-key.ts'
import { noTime, type Took, timedTransaction } from '../background/timed-transaction.ts'
import type { Database, Queries, Transaction } from '../database.ts'
import { insertRows, rowMapper } from '../sql/insert-rows.ts'
import { raw, sql } from '../sql/sql.ts'
import { excluded, forUpdate, inList, onConflict } from '../sql/statements.ts'
import { countEvents, type EventCount, eventCounts } from './event-counts.ts'

/** The most bytes of snapshots that one transaction deletes; a single entry may have more. */
const batchBytes = 2 * 1024 * 1024

/** The entries of one type in one account, and the last one that retention has examined. */
export type EventPartition = { accountId: string; type: string; examined: { at: number; id: string } }

/** Partitions in a fixed order. @param options.after the last known partition; null: from the first */
export async function listEventPartitions(
  db: Queries,
  { after, limit }: { after: EventPartition | null; limit: number },
): Promise<EventPartition[]> {
  const { accountId, type } = after ?? { accountId: '', type: '' }
  const next = sql`where account_id >= ${accountId} and (account_id, type) > (${accountId}, ${type})
    order by account_id, type limit ${limit}`
  const counted = await db.all<PartitionRow>(sql`select distinct account_id, type from event_count_shards ${next}`)
  // These are some of the partitions above, and those that only older versions have counted.
  const known = await db.all<PartitionRow>(
    sql`select account_id, type, examined_at, examined_id from event_counts ${next}`,
  )
  const partitions = new Map([...counted, ...known].map((row) => [`${row.account_id} ${row.type}`, toPartition(row)]))
  return [...partitions]
    .sort(byKey)
    .slice(0, limit)
    .map(([, partition]) => partition)
}

type PartitionRow = { account_id: string; type: string; examined_at?: number; examined_id?: string }

function toPartition(row: PartitionRow): EventPartition {
  const examined = { at: row.examined_at ?? 0, id: row.examined_id ?? '' }
  return { accountId: row.account_id, type: row.type, examined }
}

/**
 * Processes one batch of a partition: takes its oldest entries that are old enough and not examined yet, and deletes all old entries of
 * their subjects. The entries that contain an existing item's last versions are kept (contract 2.2), however old; they are examined again
 * when a later event of the item is old enough, such as its deletion or that of its list. Entries in the outbox are kept too, and the
 * partition is not processed beyond them.
 * @param options.createdUntil delete entries up to this time of creation, in epoch milliseconds
 * @param options.rows the most entries that a batch examines and deletes: other writers wait for its transaction
 * @param options.versions how many last versions of an existing item are kept; absent: the maximum
 * @returns how many entries were deleted, the time that it took, and where to continue; `next` null: nothing old is left in the partition
 */
export async function deleteOldEvents(
  db: Database,
  partition: EventPartition,
  { createdUntil, rows, versions = keptItemVersions }: { createdUntil: number; rows: number; versions?: number },
): Promise<{ deleted: number; took: Took; next: EventPartition | null }> {
  const candidates = await readCandidates(db, partition, { createdUntil, rows })
  const last = candidates.at(-1)
  if (!last) return { deleted: 0, took: noTime, next: null }
  const subjectIds = [...new Set(candidates.map(({ model_id }) => model_id))]
  const found = await readExpired(db, subjectIds, { createdUntil, rows, versions })
  const expired = takeBatch(found, rows)
  const examined = expired.length === found.length ? { at: last.created_at, id: last.id } : partition.examined
  const next = { ...partition, examined }
  const { result, took } = await timedTransaction(db, (tx) => remove(tx, expired, { partition: next, versions }))
  return { deleted: result, took, next }
}

type Candidate = { id: string; created_at: number; model_id: string; waiting: number }

async function readCandidates(
  db: Queries,
  { accountId, type, examined }: EventPartition,
  { createdUntil, rows }: { createdUntil: number; rows: number },
): Promise<Candidate[]> {
  // A position after `createdUntil` was stored by a clock that was ahead and has been set back since.
  const { at, id } = examined.at <= createdUntil ? examined : { at: 0, id: '' }
  const found = await db.all<Candidate>(
    sql`select e.id, e.created_at, e.model_id, case when ${isWaiting} then 1 else 0 end as waiting
      from events e where e.account_id = ${accountId} and e.type = ${type} and e.created_at <= ${createdUntil}
      and e.created_at >= ${at} and (e.created_at, e.id) > (${at}, ${id})
      order by e.created_at, e.id limit ${rows}`,
  )
  const waiting = found.findIndex((row) => row.waiting === 1)
  return waiting === -1 ? found : found.slice(0, waiting)
}

const isWaiting = raw('exists (select 1 from outbox o where o.event_id = e.id)')

/**
 * The condition that the entry contains one of the last versions of an item that exists. A deletion increments the revision without a
 * version, and only a restoration can follow it, so n versions span at most 2n revisions.
 */
const isNeeded = (versions: number) =>
  raw(`exists (select 1 from items i where i.id = e.model_id and (i.revision - e.revision < ${versions}
  or i.revision - e.revision < ${2 * versions} and ${versions} > (select count(*) from events n
    where n.model_id = e.model_id and (n.created_at, n.id) > (e.created_at, e.id) and n.type <> 'item-deleted')))`)

function readExpired(
  db: Queries,
  subjectIds: readonly string[],
  { createdUntil, rows, versions }: { createdUntil: number; rows: number; versions: number },
): Promise<{ id: string; bytes: number | null }[]> {
  return db.all(sql`select e.id, octet_length(e.snapshot) as bytes from events e
    where ${inList('e.model_id', subjectIds)} and e.created_at <= ${createdUntil}
      and not ${isWaiting} and not ${isNeeded(versions)} limit ${rows + 1}`)
}

/** The ids of as many entries as one transaction may delete, at least one. */
function takeBatch(found: readonly { id: string; bytes: number | null }[], rows: number): string[] {
  let bytes = 0
  const fitting = found.findIndex((entry, position) => {
    bytes += entry.bytes ?? 0
    return position > 0 && (position === rows || bytes > batchBytes)
  })
  return (fitting === -1 ? found : found.slice(0, fitting)).map(({ id }) => id)
}

/**
 * An item may have been restored meanwhile, so each entry is examined again. A restoration that commits later is safe:
 * it has already read the entry that it restores from.
 */
async function remove(
  tx: Transaction,
  ids: readonly string[],
  { partition, versions }: { partition: EventPartition; versions: number },
): Promise<number> {
  // Locked, so that two transactions that delete the same entries do not both subtract them from the counters.
  const rows = await tx.all<{ id: string; account_id: string; type: string }>(
    sql`select e.id, e.account_id, e.type from events e where ${inList('e.id', ids)} and not ${isNeeded(versions)}
      order by e.id ${forUpdate}`,
  )
  if (rows.length > 0) await removeCounted(tx, rows)
  await insertRows(tx, positionRows([partition]), movePosition)
  if (rows.some((row) => row.type === 'list-deleted')) await examineItemsAgain(tx, partition.accountId)
  return rows.length
}

async function removeCounted(
  tx: Transaction,
  rows: readonly { id: string; account_id: string; type: string }[],
): Promise<void> {
  const ids = rows.map(({ id }) => id)
  await tx.run(sql`delete from events where ${inList('id', ids)}`)
  const events = rows.map(({ id, account_id, type }) => ({ id, accountId: account_id, type }))
  const counts = eventCounts(events).map(([account, type, shard, n]): EventCount => [account, type, shard, -n])
  await countEvents(tx, counts)
}

const positionRows = rowMapper<EventPartition>('event_counts', {
  account_id: ({ accountId }) => accountId,
  type: ({ type }) => type,
  entries: () => 0,
  examined_at: ({ examined }) => examined.at,
  examined_id: ({ examined }) => examined.id,
})

const movePosition = onConflict(['account_id', 'type'], {
  examined_at: excluded('examined_at'),
  examined_id: excluded('examined_id'),
})

/** A deleted list's items are purged without separate events, so only this finds the entries that were kept for them. */
async function examineItemsAgain(tx: Queries, accountId: string): Promise<void> {
  await tx.run(sql`update event_counts set examined_at = 0, examined_id = ''
    where account_id = ${accountId} and type >= 'item-' and type < 'item.'`)
}
