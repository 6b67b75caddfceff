import { makeToken, tokenHash } from '#shared/crypto/token.ts'
import type { PermissionRule } from '#shared/domain/permission-rule.ts'
import { toBoolean, toJson, toNumber, toNumberOrNull, toText } from '../columns.ts'
import type { Queries } from '../database.ts'

/** An API token without its value (contract 2.6). Times are epoch milliseconds; `ips` are CIDR blocks, null = any. */
export type StoredToken = {
  id: string
  accountId: string
  createdAt: number
  updatedAt: number
  name: string
  description: string
  tags: string[]
  permissions: PermissionRule[]
  ips: string[] | null
  expiresAt: number | null
  activated: boolean
  locked: boolean
  lastUsedAt: number | null
}

export type NewToken = Pick<StoredToken, 'id' | 'accountId' | 'name' | 'permissions'> &
  Partial<Pick<StoredToken, 'description' | 'tags' | 'ips' | 'expiresAt'>> & { now: number }

/**
 * Creates an API token.
 * @returns the token and its value, which cannot be read again: only its hash is stored
 */
export async function createToken(db: Queries, input: NewToken): Promise<{ token: StoredToken; value: string }> {
  const { now, ...fields } = input
  const token: StoredToken = {
    description: '',
    tags: [],
    ips: null,
    expiresAt: null,
    ...fields,
    createdAt: now,
    updatedAt: now,
    activated: true,
    locked: false,
    lastUsedAt: null,
  }
  const value = makeToken('api')
  await db.run(
    `insert into tokens (id, account_id, created_at, updated_at, name, description, tags, permissions, ips, expires_at,
      activated, locked, token_hash) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      token.id,
      token.accountId,
      now,
      now,
      token.name,
      token.description,
      JSON.stringify(token.tags),
      JSON.stringify(token.permissions),
      token.ips && JSON.stringify(token.ips),
      token.expiresAt,
      token.activated,
      token.locked,
      tokenHash(value),
    ],
  )
  return { token, value }
}

/** The token with this hash, valid or not: the caller checks `activated`, `expiresAt` and `ips`. */
export async function findTokenByHash(db: Queries, hash: string): Promise<StoredToken | null> {
  const row = await db.get<TokenRow>(`select ${columns.join(', ')} from tokens where token_hash = ?`, [hash])
  return row ? tokenOf(row) : null
}

/** Tokens of one account, or all, in the order of creation. */
export async function listTokens(db: Queries, options: { accountId?: string; limit: number }): Promise<StoredToken[]> {
  const { accountId, limit } = options
  const rows =
    accountId === undefined
      ? await db.all<TokenRow>(`select ${columns.join(', ')} from tokens order by id limit ?`, [limit])
      : await db.all<TokenRow>(`select ${columns.join(', ')} from tokens where account_id = ? order by id limit ?`, [
          accountId,
          limit,
        ])
  return rows.map(tokenOf)
}

const columns = [
  'id',
  'account_id',
  'created_at',
  'updated_at',
  'name',
  'description',
  'tags',
  'permissions',
  'ips',
  'expires_at',
  'activated',
  'locked',
  'last_used_at',
] as const
type TokenRow = Record<(typeof columns)[number], unknown>

function tokenOf(row: TokenRow): StoredToken {
  return {
    id: toText(row.id),
    accountId: toText(row.account_id),
    createdAt: toNumber(row.created_at),
    updatedAt: toNumber(row.updated_at),
    name: toText(row.name),
    description: toText(row.description),
    tags: toJson(row.tags),
    permissions: toJson(row.permissions),
    ips: row.ips === null ? null : toJson(row.ips),
    expiresAt: toNumberOrNull(row.expires_at),
    activated: toBoolean(row.activated),
    locked: toBoolean(row.locked),
    lastUsedAt: toNumberOrNull(row.last_used_at),
  }
}
