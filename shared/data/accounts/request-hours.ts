import { hourMs } from '#shared/domain/hours.ts'
import { toNumber } from '../columns.ts'
import type { Database, Queries } from '../database.ts'
import { insertRows, rowMapper } from '../sql/insert-rows.ts'
import { sql } from '../sql/sql.ts'
import { excluded, inList, onConflict } from '../sql/statements.ts'

/** Requests of an account in an hour; `hour` is its start in epoch milliseconds. */
export type HourRequests = { accountId: string; hour: number; requests: number }

/** The number of hours that are kept. */
const keptHours = 48

/** Adds requests to their stored hours, and deletes the expired hours of these accounts. */
export async function addRequests(db: Database, rows: readonly HourRequests[]): Promise<void> {
  if (rows.length === 0) return
  // Sorted, so that gateways that store at the same time do not deadlock.
  const sorted = rows.toSorted((one, other) =>
    one.accountId === other.accountId ? one.hour - other.hour : one.accountId < other.accountId ? -1 : 1,
  )
  const accounts = [...new Set(sorted.map(({ accountId }) => accountId))]
  const newest = Math.max(...sorted.map(({ hour }) => hour))
  await db.transaction(async (tx) => {
    await insertRows(tx, hourRows(sorted), addCounts)
    await tx.run(sql`delete from request_hours
      where ${inList('account_id', accounts)} and hour < ${newest - keptHours * hourMs}`)
  })
}

const hourRows = rowMapper<HourRequests>('request_hours', {
  account_id: ({ accountId }) => accountId,
  hour: ({ hour }) => hour,
  requests: ({ requests }) => requests,
})

const addCounts = onConflict(['account_id', 'hour'], {
  requests: sql`request_hours.requests + ${excluded('requests')}`,
})

/** The stored requests of an account per hour. @param hours their starts in epoch milliseconds, in order */
export async function readRequests(db: Queries, accountId: string, hours: readonly number[]): Promise<number[]> {
  const rows = await db.all(sql`select hour, requests from request_hours
    where account_id = ${accountId} and hour >= ${hours[0] ?? 0}`)
  const found = new Map(rows.map(({ hour, requests }) => [toNumber(hour), toNumber(requests)]))
  return hours.map((hour) => found.get(hour) ?? 0)
}
