import type { Actor } from '#shared/domain/actor.ts'
import { changedBy, changedIdentity, type IdentityBody, normalIdentityBody } from '#shared/domain/identity/change.ts'
import { requiresEmail } from '#shared/domain/identity/group.ts'
import { identityLoginKeys } from '#shared/domain/identity/sign-in.ts'
import { AppError } from '#shared/errors.ts'
import type { Transaction } from '../database.ts'
import { insertEvents } from '../events/events.ts'
import { forgetLoginAttempts } from '../sign-in/login-attempts.ts'
import { deleteIdentity, type GroupedIdentity, type IdentityAt, lockIdentity, updateIdentity } from './identities.ts'
import { identityEvent } from './identity-event.ts'
import { deleteIdentitySessions } from './identity-sessions.ts'
import { deleteOneTimeTokens } from './one-time-tokens.ts'

/** A change by the account or the operator. `actor` null: the operator, on the command line. */
type IdentityChange = IdentityAt & {
  body: IdentityBody
  /** A new password; absent: it stays. */
  passwordHash?: string | undefined
  actor: Actor | null
  eventId: string
}

/**
 * Changes an identity and writes the event; a body that changes nothing writes nothing. A new password and a deactivation
 * end its sessions, a new password or email its one-time tokens. A new password also ends the count of failed logins: they
 * were guesses at a password that is gone.
 * @returns the identity, and how many sessions have ended; null when it is gone
 * @throws VALIDATION_FAILED, IDENTITY_EMAIL_REQUIRED; the database's unique violation (`isUniqueViolation`) when another of
 *   the group has its name or email
 */
export async function changeIdentity(
  tx: Transaction,
  { accountId, identityId, body, passwordHash, actor, eventId }: IdentityChange,
): Promise<(GroupedIdentity & { ended: number }) | null> {
  const key = { accountId, identityId }
  const found = await lockIdentity(tx, key)
  if (!found) return null
  const at = await tx.now()
  const hasNewPassword = passwordHash !== undefined
  const identity = changedIdentity(found.identity, body, { hasNewPassword, now: at })
  if (body.email === null && requiresEmail(found.settings)) throw new AppError('IDENTITY_EMAIL_REQUIRED')
  const changed = changedBy(normalIdentityBody(body), found.identity)
  if (hasNewPassword) changed.push('password')
  if (changed.length === 0) return { ...found, ended: 0 }
  await updateIdentity(tx, identity, hasNewPassword ? { passwordHash } : {})
  if (hasNewPassword) {
    const { byName, byEmail } = identityLoginKeys(accountId, identityId)
    await forgetLoginAttempts(tx, byName, byEmail)
  }
  if (hasNewPassword || identity.email !== found.identity.email) await deleteOneTimeTokens(tx, key)
  const endsSessions = hasNewPassword || !identity.activated
  const ended = endsSessions ? await deleteIdentitySessions(tx, key) : 0
  await insertEvents(tx, [
    identityEvent('identity-updated', identity, { id: eventId, actor, at, attachments: { changed } }),
  ])
  return { ...found, identity, ended }
}

/**
 * Deletes an identity with its sessions and one-time tokens, and writes the event. Its items stay, without an owner, and no
 * events of items are written (contract 2.5).
 * @returns false when it is gone already
 */
export async function removeIdentity(
  tx: Transaction,
  { accountId, identityId, actor, eventId }: IdentityAt & { actor: Actor; eventId: string },
): Promise<boolean> {
  const key = { accountId, identityId }
  const at = await tx.now()
  const found = await lockIdentity(tx, key)
  if (!found) return false
  await deleteIdentitySessions(tx, key)
  await deleteOneTimeTokens(tx, key)
  await deleteIdentity(tx, found.identity)
  await insertEvents(tx, [identityEvent('identity-deleted', found.identity, { id: eventId, actor, at })])
  return true
}
