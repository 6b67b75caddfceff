import type { Transaction } from '#shared/data/database.ts'
import { insertEvents } from '#shared/data/events/events.ts'
import { deleteIdentity, lockIdentity } from '#shared/data/identities/identities.ts'
import { identityEvent } from '#shared/data/identities/identity-event.ts'
import { deleteIdentitySessions } from '#shared/data/identities/identity-sessions.ts'
import { deleteOneTimeTokens } from '#shared/data/identities/one-time-tokens.ts'
import { AppError } from '#shared/errors.ts'
import { revokeIdentity } from '../../../auth/revocation.ts'
import type { IdentityDeps } from '../context.ts'
import type { ActingIdentity } from './acting-identity.ts'

/**
 * Deletes an identity as it asks itself, with its sessions, which have ended on this gateway before the response. Its items
 * stay, without an owner; no events of items are written (contract 2.5).
 * @throws IDENTITY_NOT_AUTHENTICATED when it no longer exists
 */
export async function deleteSelf(deps: IdentityDeps, acting: ActingIdentity): Promise<void> {
  const eventId = deps.newId()
  await deps.db.transaction((tx) => write(tx, acting, eventId))
  revokeIdentity(deps, acting.identityId)
}

async function write(tx: Transaction, acting: ActingIdentity, eventId: string): Promise<void> {
  const { accountId, identityId, actor } = acting
  const at = { accountId, identityId }
  const now = await tx.now()
  const locked = await lockIdentity(tx, at)
  if (!locked) throw new AppError('IDENTITY_NOT_AUTHENTICATED')
  await deleteIdentitySessions(tx, at)
  await deleteOneTimeTokens(tx, at)
  await deleteIdentity(tx, locked.identity)
  await insertEvents(tx, [identityEvent('identity-deleted', locked.identity, { id: eventId, actor, at: now })])
}
