import { generateToken, tokenHash } from '#shared/crypto/token.ts'
import type { ValuesIn } from '#shared/domain/fields/field.ts'
import { initialValues, namesIn } from '#shared/domain/fields/values.ts'
import { foldTags } from '#shared/domain/tags.ts'
import { type ApiToken, tokenFields } from '#shared/domain/token/fields.ts'
import { planOf } from '../accounts/accounts.ts'
import { toText } from '../columns.ts'
import type { Queries, Transaction } from '../database.ts'
import { type Columns, insertRow, rowMapper } from '../sql/insert-rows.ts'
import { raw, sql } from '../sql/sql.ts'
import { forUpdate } from '../sql/statements.ts'
import { assignments } from '../sql/table.ts'
import { hasOverwrittenRules, ruleColumns, selectedOfTokens, tokenFromRow, tokenTable } from './columns.ts'

/** A token, and the account it must belong to. */
type TokenKey = { accountId: string; tokenId: string }

export type NewToken = Pick<ApiToken, 'id' | 'accountId' | 'name' | 'permissions'> &
  Partial<Pick<ApiToken, 'ruleIndexes'>> &
  ValuesIn<typeof tokenFields, 'create'> & { now: number }

/**
 * Creates an API token.
 * @returns the token and its value, which cannot be read again: only its hash is stored
 */
export async function createToken(db: Queries, input: NewToken): Promise<{ token: ApiToken; value: string }> {
  const { now, ...fields } = input
  const tags = foldTags(fields.tags ?? [])
  const token: ApiToken = {
    ruleIndexes: [],
    ...initialValues(tokenFields),
    ...fields,
    tags,
    createdAt: now,
    updatedAt: now,
  }
  const value = generateToken('api')
  await insertRow(db, tokenRows([{ ...token, hash: tokenHash(value) }]))
  return { token, value }
}

const tokenRows = rowMapper<ApiToken & { hash: string }>('tokens', {
  ...tokenTable.allColumns,
  ...ruleColumns,
  token_hash: ({ hash }) => hash,
})

/** A token, and the id of its account's price plan. */
export type TokenOfAccount = ApiToken & { plan: string }

/** The token with this hash, valid or not: the caller checks `activated`, `locked`, `expiresAt` and `ips`. */
export async function findTokenByHash(db: Queries, hash: string): Promise<TokenOfAccount | null> {
  const row = await db.get(
    sql`select ${selectedOfTokens}, ${planOf('tokens')} as plan from tokens where token_hash = ${hash}`,
  )
  return row ? { ...tokenFromRow(row), plan: toText(row.plan) } : null
}

export async function findToken(db: Queries, { accountId, tokenId }: TokenKey): Promise<ApiToken | null> {
  const row = await db.get(sql`${selectTokens} where id = ${tokenId} and account_id = ${accountId}`)
  return row ? tokenFromRow(row) : null
}

/** The token with this id and those with exactly this name, at most ten. */
export async function findTokensByRef(
  db: Queries,
  { accountId, ref }: { accountId: string; ref: string },
): Promise<ApiToken[]> {
  const rows = await db.all(
    sql`${selectTokens} where account_id = ${accountId} and (id = ${ref} or name = ${ref}) order by id limit 10`,
  )
  return rows.map(tokenFromRow)
}

/** Tokens of one account, or all, in the order of creation. */
export async function listTokens(db: Queries, options: { accountId?: string; limit: number }): Promise<ApiToken[]> {
  const { accountId, limit } = options
  const owned = accountId === undefined ? raw('') : sql` where account_id = ${accountId}`
  const rows = await db.all(sql`${selectTokens}${owned} order by id limit ${limit}`)
  return rows.map(tokenFromRow)
}

/** Tokens of all accounts whose rules have a `*`, in the order of creation, after the token `after`. */
export async function readTokensWithStars(
  db: Queries,
  { after, limit }: { after: string; limit: number },
): Promise<ApiToken[]> {
  const rows = await db.all(
    sql`${selectTokens} where id > ${after} and permissions like ${'%"*"%'} order by id limit ${limit}`,
  )
  return rows.map(tokenFromRow)
}

/** A token whose rules have conditions, and whether a process of 0.2 has written other rules since. */
export type ConditionalToken = { token: ApiToken; isOverwritten: boolean }

/** Such tokens of all accounts, in the order of creation, after the token `after`. */
export async function readConditionalTokens(
  db: Queries,
  { after, limit }: { after: string; limit: number },
): Promise<ConditionalToken[]> {
  const rows = await db.all(
    sql`${selectTokens} where id > ${after} and conditional_rules is not null order by id limit ${limit}`,
  )
  return rows.map((row) => ({ token: tokenFromRow(row), isOverwritten: hasOverwrittenRules(row) }))
}

/** Without the hash of the token's value, by which credentials are cached: only a revocation needs it. */
const selectTokens = sql`select ${selectedOfTokens} from tokens`

/** A token that no other transaction changes or deletes until this one ends, and the hash of its value. */
type LockedToken = { token: ApiToken; hash: string }

export async function lockToken(tx: Transaction, { accountId, tokenId }: TokenKey): Promise<LockedToken | null> {
  const row = await tx.get(
    sql`select ${selectedOfTokens}, token_hash from tokens
      where id = ${tokenId} and account_id = ${accountId} ${forUpdate}`,
  )
  return row ? { token: tokenFromRow(row), hash: toText(row.token_hash) } : null
}

/** Writes the fields of a token that requests and operators may change. The caller has locked it. */
export async function writeToken(tx: Transaction, token: ApiToken): Promise<void> {
  await tx.run(sql`update tokens set ${assignments(changedColumns, token)}
    where id = ${token.id} and account_id = ${token.accountId}`)
}

const changedColumns: Columns<ApiToken> = {
  ...tokenTable.columnsOf(['updatedAt', 'locked', ...namesIn(tokenFields, 'update')]),
  ...ruleColumns,
}

/** Replaces the value of a token; the previous value is no longer valid. @returns the value, which cannot be read again */
export async function replaceTokenValue(tx: Transaction, { accountId, tokenId }: TokenKey): Promise<string> {
  const value = generateToken('api')
  await tx.run(sql`update tokens set token_hash = ${tokenHash(value)}
    where id = ${tokenId} and account_id = ${accountId}`)
  return value
}

export async function removeToken(tx: Transaction, { accountId, tokenId }: TokenKey): Promise<void> {
  await tx.run(sql`delete from tokens where id = ${tokenId} and account_id = ${accountId}`)
}
