import { costlier, isVerifiable, type PasswordParams, verifyPassword } from '#shared/crypto/password.ts'
import type { Logger } from '#shared/log/logger.ts'

/** The user or identity that was found. */
type Subject = { id: string; passwordHash: string | null }

/**
 * Whether the password is the subject's, at one cost in every case: without a subject, without a password, and for hashes
 * that were created when `passwords.*` was lower.
 * @throws SERVICE_UNAVAILABLE when too many hashes wait, or it could start only after `startBefore` (epoch milliseconds)
 */
export type CheckPassword = (
  subject: Subject | null,
  attempt: { password: string; startBefore: number },
) => Promise<boolean>

/**
 * The cost is the configured one, or that of a more expensive hash that was verified before: after `passwords.*` was lowered,
 * older hashes keep their cost.
 */
export function createPasswordCheck({ passwords, log }: { passwords: PasswordParams; log: Logger }): CheckPassword {
  let cost = passwords
  return async (subject, { password, startBefore }) => {
    const stored = subject?.passwordHash ?? null
    if (stored !== null) {
      if (!isVerifiable(stored)) log('password_hash.invalid', { subjectId: subject?.id })
      cost = costlier(cost, stored)
    }
    return verifyPassword(stored, password, { cost, startBefore })
  }
}
