import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import type { Transaction } from '#shared/data/database.ts'
import { announcing, insertEvents } from '#shared/data/events/events.ts'
import { lockIdentity, updateIdentity } from '#shared/data/identities/identities.ts'
import { identityEvent } from '#shared/data/identities/identity-event.ts'
import { type OneTimeTokenKey, useOneTimeToken } from '#shared/data/identities/one-time-tokens.ts'
import type { Actor } from '#shared/domain/actor.ts'
import { laterThan } from '#shared/domain/later-than.ts'
import { AppError } from '#shared/errors.ts'
import type { IdentityDeps } from '../context.ts'
import { getOwnIdentity, type OwnIdentity } from '../get-self.ts'
import { getTokenOwner } from './token-owner.ts'

/**
 * Marks an identity's email address as verified, and uses up the token (contract 2.5).
 * @throws TOKEN_NOT_AUTHORIZED, IDENTITY_TOKEN_INVALID
 */
export async function confirmVerification(
  deps: IdentityDeps,
  { principal, token }: { principal: AuthenticatedPrincipal; token: string },
): Promise<OwnIdentity> {
  const { accountId, actor } = principal
  const { identityId, key } = await getTokenOwner(deps, principal, { kind: 'verify', token })
  const eventId = deps.newId()
  await announcing(deps).transaction((tx) => verifyEmail(tx, { identityId, key }, { id: eventId, actor }))
  return getOwnIdentity(deps, { accountId, identityId })
}

async function verifyEmail(
  tx: Transaction,
  { identityId, key }: { identityId: string; key: OneTimeTokenKey },
  event: { id: string; actor: Actor },
): Promise<void> {
  const now = await tx.now()
  const locked = await lockIdentity(tx, { accountId: key.accountId, identityId })
  if (!locked?.identity.activated || !(await useOneTimeToken(tx, { ...key, now }))) {
    throw new AppError('IDENTITY_TOKEN_INVALID')
  }
  const identity = { ...locked.identity, emailVerified: true, updatedAt: laterThan(locked.identity, now) }
  await updateIdentity(tx, identity)
  const attachments = { changed: ['emailVerified'], reason: 'email-verification' }
  await insertEvents(tx, [identityEvent('identity-updated', identity, { ...event, at: now, attachments })])
}
