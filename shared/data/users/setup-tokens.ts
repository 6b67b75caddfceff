import { generateToken, tokenHash } from '#shared/crypto/token.ts'
import { setupTokenMs } from '#shared/domain/limits.ts'
import type { SetupTokenError } from '#shared/domain/user/setup-token.ts'
import { toNumber, toNumberOrNull } from '../columns.ts'
import type { Queries, Transaction } from '../database.ts'
import { lockInstallation } from '../settings/settings.ts'
import { sql } from '../sql/sql.ts'
import { hasUsers } from './users.ts'

/**
 * Creates the set-up token of this start and deletes earlier ones; only its hash is stored.
 * @returns the token; null when there is a user already
 */
export async function createSetupToken(tx: Transaction): Promise<string | null> {
  await lockInstallation(tx)
  if (await hasUsers(tx)) return null
  const token = generateToken('setup')
  const now = await tx.now()
  await tx.run(sql`delete from one_time_tokens where kind = 'setup'`)
  await tx.run(sql`insert into one_time_tokens (token_hash, kind, created_at, expires_at)
    values (${tokenHash(token)}, 'setup', ${now}, ${now + setupTokenMs})`)
  return token
}

/** Why a set-up token is not valid; null when it is. Once there is a user, every token counts as used. */
export async function setupTokenError(
  db: Queries,
  { hash, now }: { hash: string; now: number },
): Promise<SetupTokenError | null> {
  const row = await db.get<{ expires_at: unknown; used_at: unknown }>(
    sql`select expires_at, used_at from one_time_tokens where token_hash = ${hash} and kind = 'setup'`,
  )
  if (!row) return 'unknown'
  if (toNumberOrNull(row.used_at) !== null || (await hasUsers(db))) return 'used'
  return toNumber(row.expires_at) <= now ? 'expired' : null
}

/** Consumes a set-up token. @returns whether it was still valid, which is true for only one of several concurrent calls */
export async function useSetupToken(db: Queries, { hash, now }: { hash: string; now: number }): Promise<boolean> {
  const changed = await db.run(
    sql`update one_time_tokens set used_at = ${now}
      where token_hash = ${hash} and kind = 'setup' and used_at is null and expires_at > ${now}`,
  )
  return changed === 1
}
