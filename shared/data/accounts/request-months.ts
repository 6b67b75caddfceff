import { creditsUsed, type MonthCounts, type RateLimits } from '#shared/domain/plan/rates.ts'
import { toNumber, toText } from '../columns.ts'
import type { Database, Queries, Transaction } from '../database.ts'
import { insertRows, rowMapper } from '../sql/insert-rows.ts'
import { sql } from '../sql/sql.ts'
import { excluded, inList, onConflict, updateFrom, valuesTable } from '../sql/statements.ts'

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
  return (await readMonths(db, { accountIds: [accountId], month })).get(accountId) ?? nothing
}

const nothing: StoredMonth = { requests: 0, blocked: 0, credits: 0 }

/** What accounts have used of a month, by account. */
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
 * @returns what is stored then, by account
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

/** Credits that two gateways use at once are taken once each; there are never fewer than none. */
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

/** Gives an account credits: requests in addition to its plan, in any month. @returns how many it has then */
export async function addCredits(db: Database, accountId: string, credits: number): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.run(sql`update accounts set credits = case when credits + ${credits} > 0 then credits + ${credits} else 0 end
      where id = ${accountId}`)
    const row = await tx.get(sql`select credits from accounts where id = ${accountId}`)
    return toNumber(row?.credits ?? 0)
  })
}
