import { dummyHash, isVerifiable, verifyPassword } from '#shared/crypto/password.ts'
import type { Deps } from './context.ts'

/** Whoever was found under what was given. */
type Subject = { id: string; passwordHash: string | null }

/**
 * Whether the password is that of whoever was found. It costs a verification with real parameters also when nobody was,
 * or somebody without a password.
 * @throws SERVICE_UNAVAILABLE when too many hashes wait, or its turn comes after `startBefore` (epoch milliseconds)
 */
export async function verifyPasswordConstantCost(
  { log, passwords }: Deps,
  subject: Subject | undefined,
  given: { password: string; startBefore: number },
): Promise<boolean> {
  const { password, startBefore } = given
  const stored = subject?.passwordHash ?? null
  const sound = stored !== null && isVerifiable(stored)
  if (stored !== null && !sound) log('password_hash.invalid', { subjectId: subject?.id })
  const matches = await verifyPassword(sound ? stored : await dummyHash(passwords), password, { startBefore })
  return sound && matches
}
