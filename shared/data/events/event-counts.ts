import { byKey } from '#shared/json/by-key.ts'
import { toNumber } from '../columns.ts'
import type { Queries, Transaction } from '../database.ts'
import { insertRows, type Rows, rowMapper } from '../sql/insert-rows.ts'
import { sql } from '../sql/sql.ts'
import { excluded, onConflict } from '../sql/statements.ts'

// The number of entries of each type in an account's log. It is spread over sixteen rows, its shards. A transaction adds to one shard, so
// it seldom waits for another one; readers add them up. A single shard means nothing and may be negative, because entries may be added and
// deleted through different shards. `event_counts` has the counts of versions before 0.3, which they still update while they run together
// with this one.

/** A number to add to a shard of an account and type; negative: entries were deleted. */
export type EventCount = [accountId: string, type: string, shard: number, entries: number]

type Counted = { id: string; accountId: string; type: string }

/** The counts of the entries of one transaction by account and type, all in the same shard. */
export function eventCounts(events: readonly Counted[]): EventCount[] {
  const shard = shardOf(events[0]?.id ?? '')
  const counts = new Map<string, EventCount>()
  for (const { accountId, type } of events) {
    const count = counts.get(accountId + type) ?? [accountId, type, shard, 0]
    count[3]++
    counts.set(accountId + type, count)
  }
  return [...counts.values()]
}

/** The shard by the last digit of an id, which is random. */
function shardOf(id: string): number {
  return Number.parseInt(id.slice(-1), 16) || 0
}

/**
 * Adds to the counters that totals are read from. Code that inserts or deletes entries calls it in the same transaction, as
 * the last step, because on a server the counters stay locked until the commit.
 */
export async function countEvents(tx: Transaction, counts: readonly EventCount[]): Promise<void> {
  await insertRows(tx, eventCountRows(counts), addEntries)
}

/** The rows of counts, sorted by key, so that transactions lock the counters in the same order and do not deadlock. */
export function eventCountRows(counts: readonly EventCount[]): Rows {
  return countRows(
    [...counts].sort(([account, type], [other, otherType]) =>
      account === other ? compare(type, otherType) : compare(account, other),
    ),
  )
}

const countRows = rowMapper<EventCount>('event_count_shards', {
  account_id: ([account]) => account,
  type: ([, type]) => type,
  shard: ([, , shard]) => shard,
  entries: ([, , , entries]) => entries,
})

/** The end of an insert of `eventCountRows`: adds to the counters that exist. */
export const addEntries = onConflict(['account_id', 'type', 'shard'], {
  entries: sql`event_count_shards.entries + ${excluded('entries')}`,
})

/** The number of entries in an account's log by type, also for types that it no longer has, in the order of the types. */
export async function readEventCounts(db: Queries, accountId: string): Promise<{ type: string; entries: number }[]> {
  const rows = await db.all<{ type: string; entries: unknown }>(
    sql`select type, sum(entries) as entries from event_count_shards where account_id = ${accountId} group by type
      union all select type, entries from event_counts where account_id = ${accountId}`,
  )
  const counts = new Map<string, number>()
  for (const { type, entries } of rows) counts.set(type, (counts.get(type) ?? 0) + toNumber(entries))
  return [...counts].sort(byKey).map(([type, entries]) => ({ type, entries }))
}

function compare(left: string, right: string): number {
  return Number(left > right) - Number(left < right)
}
