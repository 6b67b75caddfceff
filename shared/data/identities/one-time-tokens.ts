import type { identityTokenMs } from '#shared/domain/limits.ts'
import { toText } from '../columns.ts'
import type { Queries } from '../database.ts'
import { type Columns, rowMapper, upsertRows } from '../sql/insert-rows.ts'
import { sql } from '../sql/sql.ts'
import { findIdentity, type IdentityAt, type IdentityToSignIn } from './identities.ts'

/** The purpose of a one-time token: it resets the password, or verifies the email address. */
export type OneTimeKind = keyof typeof identityTokenMs

/** A token by the hash of its text, which is all that is stored of it. */
export type OneTimeTokenKey = { accountId: string; kind: OneTimeKind; tokenHash: string }

type OneTimeToken = OneTimeTokenKey & { identityId: string; createdAt: number; expiresAt: number }

const replaced = {
  token_hash: (token) => token.tokenHash,
  created_at: (token) => token.createdAt,
  expires_at: (token) => token.expiresAt,
} satisfies Columns<OneTimeToken>

const tokenRows = rowMapper<OneTimeToken>('identity_one_time_tokens', {
  identity_id: (token) => token.identityId,
  kind: (token) => token.kind,
  account_id: (token) => token.accountId,
  ...replaced,
})

/** Stores a token in place of the identity's earlier one of this kind (contract 2.5). The caller has locked the identity. */
export async function putOneTimeToken(db: Queries, token: OneTimeToken): Promise<void> {
  await upsertRows(db, tokenRows([token]), { key: ['identity_id', 'kind'], changed: replaced })
}

/** The identity that a token is for; null when the token is unknown, used, replaced or expired. */
export async function findOneTimeTokenOwner(
  db: Queries,
  { accountId, kind, tokenHash, now }: OneTimeTokenKey & { now: number },
): Promise<IdentityToSignIn | null> {
  const row = await db.get(
    sql`select identity_id from identity_one_time_tokens
      where token_hash = ${tokenHash} and kind = ${kind} and account_id = ${accountId} and expires_at > ${now}`,
  )
  return row ? findIdentity(db, { accountId, identityId: toText(row.identity_id) }) : null
}

/** Uses a token up. @returns whether it was still valid, which is true for only one of several concurrent calls */
export async function useOneTimeToken(
  db: Queries,
  { accountId, kind, tokenHash, now }: OneTimeTokenKey & { now: number },
): Promise<boolean> {
  const used = await db.run(
    sql`delete from identity_one_time_tokens
      where token_hash = ${tokenHash} and kind = ${kind} and account_id = ${accountId} and expires_at > ${now}`,
  )
  return used === 1
}

/** Ends all one-time tokens of an identity: its password or email has changed. */
export async function deleteOneTimeTokens(db: Queries, { accountId, identityId }: IdentityAt): Promise<void> {
  await db.run(
    sql`delete from identity_one_time_tokens where identity_id = ${identityId} and account_id = ${accountId}`,
  )
}
