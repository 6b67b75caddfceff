import { assertWithin, type CountLimit } from '#shared/domain/plan/limit-exceeded.ts'
import { toNumber } from '../columns.ts'
import type { Queries, Transaction } from '../database.ts'
import { lockRows } from '../sql/lock-rows.ts'
import { raw, sql } from '../sql/sql.ts'

/** The tables whose rows a price plan limits in an account. */
const tables = {
  maxLists: 'lists',
  maxTokens: 'tokens',
  maxIdentities: 'identities',
  maxWebhooks: 'webhooks',
  maxFlows: 'flows',
} as const

/** The limits on the resources of an account. */
export const accountLimits = Object.keys(tables) as (keyof typeof tables)[]

/** The names of the limited resources. */
export const countedThings = { ...tables, maxTokens: 'API tokens' } as const

export type AccountLimit = Exclude<keyof typeof tables, 'maxWebhooks'> & CountLimit

/** The number added to an account, and the maximum; null: no limit. */
type AccountGrowth = { accountId: string; limit: AccountLimit; added: number; max: number | null }

/**
 * Throws if an account has no room for what the transaction is about to add. Locks the account's row first, so that concurrent additions
 * are serialized and the count holds until the commit. Without a limit it sends no statement.
 * @throws MAX_LISTS_EXCEEDED, MAX_TOKENS_EXCEEDED, MAX_IDENTITIES_EXCEEDED, MAX_FLOWS_EXCEEDED
 */
export async function assertRoomInAccount(tx: Transaction, growth: AccountGrowth): Promise<void> {
  if (growth.max === null || growth.added <= 0) return
  await lockRows(tx, 'accounts', [growth.accountId])
  await assertWithinAccount(tx, growth)
}

/** The same check without a lock, to reject a request early. */
export async function assertWithinAccount(db: Queries, { accountId, limit, added, max }: AccountGrowth): Promise<void> {
  if (max === null || added <= 0) return
  const count = await countInAccount(db, { accountId, limit })
  assertWithin(limit, { count, added, max })
}

/** The number of limited resources in an account. */
export async function countInAccount(
  db: Queries,
  { accountId, limit }: { accountId: string; limit: keyof typeof tables },
): Promise<number> {
  const row = await db.get(sql`select count(*) as n from ${raw(tables[limit])} where account_id = ${accountId}`)
  return toNumber(row?.n)
}
