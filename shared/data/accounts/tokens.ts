import { makeToken, tokenHash } from '#shared/crypto/token.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import { type ApiToken, tokenFields } from '#shared/domain/token/fields.ts'
import type { Queries } from '../database.ts'
import { rowMapper } from '../sql/insert-rows.ts'
import { raw, sql } from '../sql/sql.ts'
import { tokenTable } from './token-columns.ts'

export type NewToken = Pick<ApiToken, 'id' | 'accountId' | 'name' | 'permissions'> &
  Partial<Pick<ApiToken, 'description' | 'tags' | 'ips' | 'expiresAt'>> & { now: number }

/**
 * Creates an API token.
 * @returns the token and its value, which cannot be read again: only its hash is stored
 */
export async function createToken(db: Queries, input: NewToken): Promise<{ token: ApiToken; value: string }> {
  const { now, ...fields } = input
  const token: ApiToken = { ...initialValues(tokenFields), ...fields, createdAt: now, updatedAt: now }
  const value = makeToken('api')
  const { insertText, values } = tokenRows([{ ...token, hash: tokenHash(value) }])
  await db.run(insertText(1), values)
  return { token, value }
}

const tokenRows = rowMapper<ApiToken & { hash: string }>('tokens', {
  ...tokenTable.allColumns,
  token_hash: ({ hash }) => hash,
})

/** The token with this hash, valid or not: the caller checks `activated`, `expiresAt` and `ips`. */
export async function findTokenByHash(db: Queries, hash: string): Promise<ApiToken | null> {
  const row = await db.get(sql`${selectTokens} where token_hash = ${hash}`)
  return row ? tokenTable.fromRow(row) : null
}

/** Tokens of one account, or all, in the order of creation. */
export async function listTokens(db: Queries, options: { accountId?: string; limit: number }): Promise<ApiToken[]> {
  const { accountId, limit } = options
  const owned = accountId === undefined ? raw('') : sql` where account_id = ${accountId}`
  const rows = await db.all(sql`${selectTokens}${owned} order by id limit ${limit}`)
  return rows.map(tokenTable.fromRow)
}

/** Without the hash of the value, which never leaves the database. */
const selectTokens = raw(`select ${Object.values(tokenTable.columns).join(', ')} from tokens`)
