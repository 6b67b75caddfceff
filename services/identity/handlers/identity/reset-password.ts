import type { IdentityChangeAnswer, IdentityResetPassword } from '#shared/bus/messages/identity.ts'
import type { HandlerContext } from '#shared/bus/requests/responders.ts'
import { assertHashingCapacity, hashPassword } from '#shared/crypto/password.ts'
import type { Transaction } from '#shared/data/database.ts'
import { announcing, insertEvents } from '#shared/data/events/events.ts'
import { type IdentityAt, lockIdentity, updateIdentity } from '#shared/data/identities/identities.ts'
import { identityEvent } from '#shared/data/identities/identity-event.ts'
import { deleteIdentitySessions } from '#shared/data/identities/identity-sessions.ts'
import {
  deleteOneTimeTokens,
  findOneTimeTokenOwner,
  type OneTimeTokenKey,
  useOneTimeToken,
} from '#shared/data/identities/one-time-tokens.ts'
import { forgetLoginAttempts } from '#shared/data/sign-in/login-attempts.ts'
import { identityLoginKeys } from '#shared/domain/identity/sign-in.ts'
import { laterThan } from '#shared/domain/later-than.ts'
import { AppError } from '#shared/errors.ts'
import type { Deps } from '../../context.ts'
import { assertGroupRules } from '../../group-rules.ts'
import { changeOnce } from '../once.ts'

/**
 * Sets a new password with a reset token, and ends every session and one-time token of the identity (contract 2.5). The
 * token is used up in the same transaction: only one of several concurrent requests succeeds, and after a failure the token
 * is still valid. A request that is sent again finds what it has done (`changeOnce`).
 * @throws IDENTITY_TOKEN_INVALID, before anything is hashed; VALIDATION_FAILED for a password that is too short for the
 *   group; SERVICE_UNAVAILABLE when too many hashes wait
 */
export async function resetPassword(
  deps: Deps,
  reset: IdentityResetPassword,
  context: HandlerContext,
): Promise<IdentityChangeAnswer> {
  const { accountId } = reset
  const identityId = await changeOnce(deps.db, { accountId, key: context.key }, () => setPassword(deps, reset, context))
  deps.bus.broadcast('revoked-identity', { identityId })
  deps.log('identity.password_reset', { requestId: context.requestId, accountId, identityId })
  return { identityId }
}

async function setPassword(
  deps: Deps,
  reset: IdentityResetPassword,
  { key: eventId, deadline }: HandlerContext,
): Promise<string> {
  assertHashingCapacity()
  const { accountId } = reset
  const key: OneTimeTokenKey = { accountId, kind: 'reset', tokenHash: reset.tokenHash }
  const found = await findOneTimeTokenOwner(deps.db, { ...key, now: await deps.db.now() })
  if (!found) throw new AppError('IDENTITY_TOKEN_INVALID')
  const { id: identityId } = found.identity
  assertGroupRules({ password: reset.password }, found.settings)
  const passwordHash = await hashPassword(reset.password, deps.passwords, { startBefore: deadline })
  const written = { at: { accountId, identityId }, key, passwordHash, eventId }
  await announcing(deps).transaction((tx) => write(tx, reset, written))
  return identityId
}

type Written = { at: IdentityAt; key: OneTimeTokenKey; passwordHash: string; eventId: string }

async function write(
  tx: Transaction,
  { actor, password }: IdentityResetPassword,
  { at, key, passwordHash, eventId }: Written,
): Promise<void> {
  const now = await tx.now()
  const locked = await lockIdentity(tx, at)
  if (!locked?.identity.activated || !(await useOneTimeToken(tx, { ...key, now }))) {
    throw new AppError('IDENTITY_TOKEN_INVALID')
  }
  assertGroupRules({ password }, locked.settings)
  const identity = { ...locked.identity, hasPassword: true, updatedAt: laterThan(locked.identity, now) }
  await updateIdentity(tx, identity, { passwordHash })
  await deleteIdentitySessions(tx, at)
  await deleteOneTimeTokens(tx, at)
  // The wait was for guesses at a password that no longer exists.
  const { byName, byEmail } = identityLoginKeys(at.accountId, at.identityId)
  await forgetLoginAttempts(tx, byName, byEmail)
  const attachments = { changed: ['password'], reason: 'password-reset' }
  await insertEvents(tx, [identityEvent('identity-updated', identity, { id: eventId, actor, at: now, attachments })])
}
