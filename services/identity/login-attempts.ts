import { assertHashingCapacity } from '#shared/crypto/password.ts'
import { countLoginAttempt } from '#shared/data/accounts/login-attempts.ts'
import { AppError } from '#shared/errors.ts'
import type { Deps } from './context.ts'

/**
 * Counts an attempt to sign in before anything is read or verified, so that parallel guesses cannot exceed the limits
 * (contract 2.5). A login that succeeds takes its own count back.
 * @throws IDENTITY_TOO_MANY_ATTEMPTS with the wait; SERVICE_UNAVAILABLE when too many hashes wait, then it is not counted
 */
export async function countAttempt(
  { db, addressLimit }: Deps,
  attempt: { key: readonly string[]; clientAddress: string },
): Promise<void> {
  assertHashingCapacity()
  assertNoWait(addressLimit.count(attempt.clientAddress))
  assertNoWait(await countLoginAttempt(db, { key: attempt.key, now: await db.now() }))
}

function assertNoWait(waitMs: number): void {
  if (waitMs <= 0) return
  throw new AppError('IDENTITY_TOO_MANY_ATTEMPTS', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
}
