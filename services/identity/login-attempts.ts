import { hash } from 'node:crypto'
import { assertHashingCapacity } from '#shared/crypto/password.ts'
import { countLoginAttempt } from '#shared/data/accounts/login-attempts.ts'
import { identityLoginKey } from '#shared/domain/identity/sign-in.ts'
import { emailKey } from '#shared/domain/identity/user.ts'
import { AppError } from '#shared/errors.ts'
import type { Deps } from './context.ts'

/** The key that an attempt to sign in is counted under, made of the name or identity, existing or not. */
export function attemptKey(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts))
}

/** The same of a dashboard user: a wrong current password counts like a failed login. */
export function userAttemptKey(email: string): string {
  return attemptKey(['user', emailKey(email)])
}

/** The same of an identity that is known. */
export function identityAttemptKey(accountId: string, identityId: string): string {
  return attemptKey(identityLoginKey(accountId, identityId))
}

/**
 * Counts an attempt to sign in before anything is read or verified, so that parallel guesses cannot exceed the limits
 * (contract 2.5). A login that succeeds takes its own count back.
 * @throws IDENTITY_TOO_MANY_ATTEMPTS with the wait; SERVICE_UNAVAILABLE when too many hashes wait, then it is not counted
 */
export async function countAttempt(
  { db, addressLimit }: Deps,
  attempt: { key: string; clientAddress: string },
): Promise<void> {
  assertHashingCapacity()
  assertNoWait(addressLimit.count(attempt.clientAddress))
  assertNoWait(await countLoginAttempt(db, { key: attempt.key, now: await db.now() }))
}

function assertNoWait(waitMs: number): void {
  if (waitMs <= 0) return
  throw new AppError('IDENTITY_TOO_MANY_ATTEMPTS', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
}
