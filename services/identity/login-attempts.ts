import { assertHashingCapacity } from '#shared/crypto/password.ts'
import { countLoginAttempt, refundLoginAttempt } from '#shared/data/sign-in/login-attempts.ts'
import { AppError } from '#shared/errors.ts'
import type { Deps } from './context.ts'
import type { LoginAttempt } from './refused-login.ts'

/**
 * Runs an attempt to sign in within the limits: it is counted before its password is verified, so that parallel guesses cannot exceed the limits
 * (contract 2.5). One that succeeds clears its count itself. The count of one for which there is no room is taken back: it
 * told nothing about the password.
 * @throws IDENTITY_TOO_MANY_ATTEMPTS with the wait; SERVICE_UNAVAILABLE when too many hashes wait; what `make` throws
 */
export async function limitAttempts<T>(
  deps: Pick<Deps, 'db' | 'addressLimit' | 'logRefusedLogin'>,
  attempt: LoginAttempt,
  make: () => Promise<T>,
): Promise<T> {
  assertHashingCapacity()
  try {
    return await countAttempt(deps, attempt, make)
  } catch (error) {
    deps.logRefusedLogin(attempt, error)
    throw error
  }
}

async function countAttempt<T>(
  { db, addressLimit }: Pick<Deps, 'db' | 'addressLimit'>,
  { key, clientAddress }: LoginAttempt,
  make: () => Promise<T>,
): Promise<T> {
  assertNoWait(addressLimit.count(clientAddress))
  const counted = { key, now: await db.now() }
  assertNoWait(await countLoginAttempt(db, counted))
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof AppError && error.name === 'SERVICE_UNAVAILABLE')) throw error
    addressLimit.refund(clientAddress)
    await refundLoginAttempt(db, counted)
    throw error
  }
}

function assertNoWait(waitMs: number): void {
  if (waitMs <= 0) return
  throw new AppError('IDENTITY_TOO_MANY_ATTEMPTS', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
}
