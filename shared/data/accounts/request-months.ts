import { creditsUsed, type MonthCounts, type RateLimits } from '#shared/domain/plan/rates.ts'
import { toNumber, toText } from '../columns.ts'
import type { Database, Queries, Transaction } from '../database.ts'
import { insertRows, rowMapper } from '../sql/insert-rows.ts'
import { sql } from '../sql/sql.ts'
import { excluded, inList, onConflict } from '../sql/statements.ts'

/** What an account has used of a month so far, and the credits that it has left. */
export type StoredMonth = MonthCounts & { credits: number }

/** Requests of an account in a month that are not stored yet. */
export type UnsettledMonth = MonthCounts & {
  accountId: string
  /** Such as 202611. */
  month: number
  limits: Pick<RateLimits, 'maxRequestsPerMonth' | 'overdraftPercent'>
}

export async function readMonth(db: Queries, accountId: string, month: number): Promise<StoredMonth> {
  const row = await db.get(
    sql`select accounts.credits, request_months.requests, request_months.blocked
      from accounts left join request_months on request_months.account_id = accounts.id and request_months.month = ${month}
      where accounts.id = ${accountId}`,
  )
  return {
    requests: toNumber(row?.requests ?? 0),
    blocked: toNumber(row?.blocked ?? 0),
    credits: toNumber(row?.credits ?? 0),
  }
}

/**
 * Stores requests of one month, and takes those beyond allowance and overdraft from the credits of their accounts.
 * @returns what is stored then, by account
 */
export function settleMonth(db: Database, rows: readonly UnsettledMonth[]): Promise<Map<string, StoredMonth>> {
  return db.transaction(async (tx) => {
    const sorted = rows.toSorted((one, other) => (one.accountId < other.accountId ? -1 : 1))
    await insertRows(tx, monthRows(sorted), addCounts)
    const stored = await readStored(tx, sorted)
    for (const row of sorted) {
      const { requests = 0 } = stored.get(row.accountId) ?? {}
      const used = creditsUsed(requests, row.limits) - creditsUsed(requests - row.requests, row.limits)
      if (used > 0) await takeCredits(tx, row.accountId, used)
    }
    return sorted.some(({ limits }) => limits.maxRequestsPerMonth !== null) ? readStored(tx, sorted) : stored
  })
}

const monthRows = rowMapper<UnsettledMonth>('request_months', {
  account_id: ({ accountId }) => accountId,
  month: ({ month }) => month,
  requests: ({ requests }) => requests,
  blocked: ({ blocked }) => blocked,
})

const addCounts = onConflict(['account_id', 'month'], {
  requests: sql`request_months.requests + ${excluded('requests')}`,
  blocked: sql`request_months.blocked + ${excluded('blocked')}`,
})

async function readStored(tx: Transaction, rows: readonly UnsettledMonth[]): Promise<Map<string, StoredMonth>> {
  const ids = rows.map(({ accountId }) => accountId)
  const found = await tx.all(
    sql`select accounts.id, accounts.credits, request_months.requests, request_months.blocked
      from accounts join request_months on request_months.account_id = accounts.id
      where ${inList('accounts.id', ids)} and request_months.month = ${rows[0]?.month ?? 0}`,
  )
  const months = found.map(({ id, requests, blocked, credits }) => {
    const month = { requests: toNumber(requests), blocked: toNumber(blocked), credits: toNumber(credits) }
    return [toText(id), month] as const
  })
  return new Map(months)
}

/** Credits that two gateways use at once are taken once each; there are never fewer than none. */
async function takeCredits(tx: Transaction, accountId: string, used: number): Promise<void> {
  await tx.run(sql`update accounts set credits = case when credits > ${used} then credits - ${used} else 0 end
    where id = ${accountId}`)
}

/** Gives an account credits: requests beside its plan, in any month. @returns how many it has then */
export async function addCredits(db: Database, accountId: string, credits: number): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.run(sql`update accounts set credits = case when credits + ${credits} > 0 then credits + ${credits} else 0 end
      where id = ${accountId}`)
    const row = await tx.get(sql`select credits from accounts where id = ${accountId}`)
    return toNumber(row?.credits ?? 0)
  })
}
