import { setTimeout as pause } from 'node:timers/promises'
import { hashingTimeoutMs } from '#shared/bus/messages/identity.ts'
import { assertHashingCapacity } from '#shared/crypto/password.ts'
import { countLoginAttempt, readLoginWait, refundLoginAttempt } from '#shared/data/sign-in/login-attempts.ts'
import { beginVerifying, endVerifying, isVerifying } from '#shared/data/sign-in/verifying.ts'
import { AppError, unavailable } from '#shared/errors.ts'
import type { Deps } from './context.ts'
import type { LoginAttempt } from './rejected-login.ts'

type AttemptDeps = Pick<Deps, 'db' | 'addressLimit' | 'logRejectedLogin' | 'loginTurns'>

/**
 * Runs an attempt to sign in within the limits: it is counted before its password is verified, so that parallel guesses cannot exceed the limits
 * (contract 2.5). A successful attempt clears its count itself. If there is no room to verify an attempt, its count is undone: it
 * revealed nothing about the password. If only attempts in verification block it, it waits for their end: they are not failures yet.
 * @throws IDENTITY_TOO_MANY_ATTEMPTS with the wait; SERVICE_UNAVAILABLE when too many hashes wait; what `run` throws
 */
export async function limitAttempts<T>(deps: AttemptDeps, attempt: LoginAttempt, run: () => Promise<T>): Promise<T> {
  assertHashingCapacity()
  try {
    return await countAttempt(deps, attempt, run)
  } catch (error) {
    deps.logRejectedLogin(attempt, error)
    throw error
  }
}

async function countAttempt<T>(
  deps: AttemptDeps,
  { key, clientAddress, deadline }: LoginAttempt,
  run: () => Promise<T>,
): Promise<T> {
  const { db, addressLimit, loginTurns } = deps
  assertNoWait(addressLimit.count(clientAddress))
  // One after the other, so that waiting attempts for the same name query the database once.
  const counted = await loginTurns(JSON.stringify(key), () => begin(deps, { key, deadline }))
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof AppError && error.name === 'SERVICE_UNAVAILABLE')) throw error
    addressLimit.refund(clientAddress)
    await refundLoginAttempt(db, counted)
    throw error
  } finally {
    await endVerifying(db, counted)
  }
}

const pollMs = 50

/**
 * Counts an attempt that is about to be verified, unless a wait or other attempts in verification block it.
 * @returns the counted attempt
 */
async function begin({ db }: AttemptDeps, { key, deadline }: Pick<LoginAttempt, 'key' | 'deadline'>) {
  for (;;) {
    const now = await db.now()
    const attempt = { key, now }
    let waitMs = await readLoginWait(db, attempt)
    if (waitMs === 0) {
      await beginVerifying(db, { ...attempt, until: now + hashingTimeoutMs })
      waitMs = await countLoginAttempt(db, attempt)
      if (waitMs === 0) return attempt
      await endVerifying(db, attempt)
    }
    if (!(await isVerifying(db, attempt))) assertNoWait(await readLoginWait(db, { key, now: await db.now() }))
    if (Date.now() > deadline) throw unavailable('other logins of the same name are still being verified')
    await pause(pollMs)
  }
}

function assertNoWait(waitMs: number): void {
  if (waitMs <= 0) return
  throw new AppError('IDENTITY_TOO_MANY_ATTEMPTS', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
}
