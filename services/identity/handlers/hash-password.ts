import type { PasswordHash, PasswordHashAnswer } from '#shared/bus/messages/identity.ts'
import type { HandlerContext } from '#shared/bus/requests/responders.ts'
import { assertHashingCapacity, hashPassword } from '#shared/crypto/password.ts'
import type { Deps } from '../context.ts'

/** Hashes a new password. @throws SERVICE_UNAVAILABLE when too many hashes wait */
export async function hashNewPassword(
  { passwords }: Deps,
  { password }: PasswordHash,
  { deadline }: HandlerContext,
): Promise<PasswordHashAnswer> {
  assertHashingCapacity()
  return { passwordHash: await hashPassword(password, passwords, { startBefore: deadline }) }
}
