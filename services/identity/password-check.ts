import { dummyHash, isVerifiable, verifyPassword } from '#shared/crypto/password.ts'
import type { Deps } from './context.ts'

/** The user or identity that was found. */
type Subject = { id: string; passwordHash: string | null }

/**
 * Whether the password is the subject's. Costs a verification with real parameters even without a subject, or when the
 * subject has no password.
 * @throws SERVICE_UNAVAILABLE when too many hashes wait, or it could start only after `startBefore` (epoch milliseconds)
 */
export async function verifyPasswordConstantCost(
  { log, passwords }: Deps,
  subject: Subject | null,
  { password, startBefore }: { password: string; startBefore: number },
): Promise<boolean> {
  const stored = subject?.passwordHash ?? null
  const isOurs = stored !== null && isVerifiable(stored)
  if (stored !== null && !isOurs) log('password_hash.invalid', { subjectId: subject?.id })
  const matches = await verifyPassword(isOurs ? stored : await dummyHash(passwords), password, { startBefore })
  return isOurs && matches
}
