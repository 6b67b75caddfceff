import { creditsUsed, type MonthCounts, type RateLimits } from '#shared/domain/plan/rates.ts'
import { toNumber, toText } from '../columns.ts'
import type { Database, Queries, Transaction } from '../database.ts'
import { insertRows, rowMapper } from '../sql/insert-rows.ts'
import { sql } from '../sql/sql.ts'
import { excluded, inList, onConflict, updateFrom, valuesTable } from '../sql/statements.ts'

/** The use of an account in a month so far, and its remaining credits. */
export type StoredMonth = MonthCounts & { credits: number }

/** Requests of an account in a month that are not stored yet. */
export type UnsettledMonth = MonthCounts & {
  accountId: string
  /** For example 202611. */
  month: number
  limits: Pick<RateLimits, 'maxRequestsPerMonth' | 'overdraftPercent'>
}

export async function readMonth(db: Queries, accountId: string, month: number): Promise<StoredMonth> {
  return (await readMonths(db, { accountIds: [accountId], month })).get(accountId) ?? nothing
}

const nothing: StoredMonth = { requests: 0, blocked: 0, credits: 0 }

/** The use of accounts in a month, by account. */
async function readMonths(
  db: Queries,
  { accountIds, month }: { accountIds: readonly string[]; month: number },
): Promise<Map<string, StoredMonth>> {
  const found = await db.all(
    sql`select accounts.id, accounts.credits, request_months.requests, request_months.blocked
      from accounts left join request_months on request_months.account_id = accounts.id and request_months.month = ${month}
      where ${inList('accounts.id', accountIds)}`,
  )
  const months = found.map(({ id, requests, blocked, credits }) => {
    const counts = { requests: toNumber(requests ?? 0), blocked: toNumber(blocked ?? 0) }
    return [toText(id), { ...counts, credits: toNumber(credits) }] as const
  })
  return new Map(months)
}

/**
 * Stores requests of one month, and takes those beyond allowance and overdraft from the credits of their accounts.
 * @returns the stored values, by account
 */
export function settleMonth(db: Database, rows: readonly UnsettledMonth[]): Promise<Map<string, StoredMonth>> {
  return db.transaction(async (tx) => {
    const sorted = rows.toSorted((one, other) => (one.accountId < other.accountId ? -1 : 1))
    await insertRows(tx, monthRows(sorted), addCounts)
    const wanted = { accountIds: sorted.map(({ accountId }) => accountId), month: sorted[0]?.month ?? 0 }
    const stored = await readMonths(tx, wanted)
    const taken = sorted.flatMap(({ accountId, requests: added, limits }) => {
      const { requests } = stored.get(accountId) ?? nothing
      const used = creditsUsed(requests, limits) - creditsUsed(requests - added, limits)
      return used > 0 ? [[accountId, used] as const] : []
    })
    await takeCredits(tx, taken)
    return taken.length > 0 ? readMonths(tx, wanted) : stored
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

/** Subtracts credits atomically, also when two gateways do so at the same time; never below 0. */
async function takeCredits(
  tx: Transaction,
  taken: readonly (readonly [accountId: string, used: number])[],
): Promise<void> {
  if (taken.length === 0) return
  await tx.run(
    updateFrom({
      table: 'accounts',
      set: { credits: sql`case when accounts.credits > input.used then accounts.credits - input.used else 0 end` },
      from: valuesTable({ id: 'text', used: 'int' }, taken),
      where: sql`accounts.id = input.id`,
    }),
  )
}

/** Adds credits to an account: requests in addition to its plan, in any month. @returns its credits after that */
export async function addCredits(db: Database, accountId: string, credits: number): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.run(sql`update accounts set credits = case when credits + ${credits} > 0 then credits + ${credits} else 0 end
      where id = ${accountId}`)
    const row = await tx.get(sql`select credits from accounts where id = ${accountId}`)
    return toNumber(row?.credits ?? 0)
  })
}
