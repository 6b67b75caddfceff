import type { IdentityChangeAnswer, IdentityUpdateSelf } from '#shared/bus/messages/identity.ts'
import type { HandlerContext } from '#shared/bus/requests/responders.ts'
import { hashPassword } from '#shared/crypto/password.ts'
import type { Transaction } from '#shared/data/database.ts'
import { isUniqueViolation } from '#shared/data/database-errors.ts'
import { announcing, insertEvents } from '#shared/data/events/events.ts'
import {
  findIdentity,
  type IdentityToSignIn,
  lockIdentity,
  updateIdentity,
} from '#shared/data/identities/identities.ts'
import { identityEvent } from '#shared/data/identities/identity-event.ts'
import { deleteIdentitySessions } from '#shared/data/identities/identity-sessions.ts'
import { deleteOneTimeTokens } from '#shared/data/identities/one-time-tokens.ts'
import { forgetLoginAttempts } from '#shared/data/sign-in/login-attempts.ts'
import { changedBy, changedIdentity } from '#shared/domain/identity/change.ts'
import { needsCurrentPassword } from '#shared/domain/identity/own-change.ts'
import { identityLoginKeys } from '#shared/domain/identity/sign-in.ts'
import { AppError } from '#shared/errors.ts'
import type { Deps } from '../../context.ts'
import { assertGroupRules } from '../../group-rules.ts'
import { limitAttempts } from '../../login-attempts.ts'
import { changeOnce } from '../once.ts'

/**
 * Changes an identity at its own request (contract 2.5). A changed email or password needs the current password, whose
 * failures count like those of logins. A new password ends all other sessions; a new email or password invalidates all one-time tokens. A
 * request that is sent again finds what it has done (`changeOnce`).
 * @throws IDENTITY_NOT_AUTHENTICATED when the current password is missing or wrong, or the identity no longer exists;
 *   IDENTITY_TOO_MANY_ATTEMPTS; VALIDATION_FAILED, IDENTITY_EMAIL_REQUIRED by the settings of the group;
 *   IDENTITY_UNABLE_TO_CREATE when another of the group has the name or email; SERVICE_UNAVAILABLE
 */
export async function updateSelf(
  deps: Deps,
  update: IdentityUpdateSelf,
  context: HandlerContext,
): Promise<IdentityChangeAnswer> {
  const { accountId, change } = update
  const { requestId, key } = context
  const identityId = await changeOnce(deps.db, { accountId, key }, () => proveAndChange(deps, update, context))
  deps.bus.broadcast('revoked-identity', { identityId })
  if (change.password !== undefined) deps.log('identity.password_changed', { requestId, accountId, identityId })
  return { identityId }
}

async function proveAndChange(
  deps: Deps,
  update: IdentityUpdateSelf,
  { requestId, key: eventId, deadline }: HandlerContext,
): Promise<string> {
  const { identityId, accountId, change } = update
  let hashes: Hashes = { proven: null, newHash: null }
  // Again when the email or password was changed between reading and writing.
  for (let round = 0; round < 2; round++) {
    const found = await findIdentity(deps.db, { accountId, identityId })
    if (!found) break
    assertGroupRules(change, found.settings)
    hashes = await prove(deps, { update, found, requestId, startBefore: deadline, isCounted: hashes.proven !== null })
    if (await store(deps, update, { ...hashes, eventId })) return identityId
  }
  throw new AppError('IDENTITY_NOT_AUTHENTICATED')
}

type Proof = {
  update: IdentityUpdateSelf
  found: IdentityToSignIn
  requestId: string
  startBefore: number
  isCounted: boolean
}

/** The stored hash that the current password was verified against, and that of a new password; null when it is not needed. */
type Hashes = { proven: string | null; newHash: string | null }

/** @throws IDENTITY_NOT_AUTHENTICATED, IDENTITY_TOO_MANY_ATTEMPTS, SERVICE_UNAVAILABLE */
async function prove(deps: Deps, { update, found, requestId, startBefore, isCounted }: Proof): Promise<Hashes> {
  const { identityId: id, accountId, change, currentPassword: password, clientAddress } = update
  const { identity, passwordHash } = found
  if (!needsCurrentPassword(changedBy(change, identity))) return { proven: null, newHash: null }
  if (password === null) throw notProven(passwordMissing)
  const verify = async () => {
    if (!(await deps.checkPassword({ id, passwordHash }, { password, startBefore }))) throw notProven(passwordWrong)
    const newHash = await hashNew(deps, change.password, startBefore)
    if (!isCounted) await forgiveAttempt(deps, update)
    return { proven: passwordHash, newHash }
  }
  const { byName: key } = identityLoginKeys(accountId, id)
  const { name, group } = identity
  const attempt = { key, clientAddress, requestId, deadline: startBefore, name, within: { accountId, group } }
  return isCounted ? verify() : limitAttempts(deps, attempt, verify)
}

const passwordMissing = 'To change the email or the password, give the current password in currentPassword.'
const passwordWrong = 'The current password is not correct.'

function notProven(message: string): AppError {
  return new AppError('IDENTITY_NOT_AUTHENTICATED', { message })
}

async function hashNew({ passwords }: Deps, password: string | undefined, startBefore: number): Promise<string | null> {
  return password === undefined ? null : hashPassword(password, passwords, { startBefore })
}

/** Undoes the count of the attempt after the current password proved correct. */
async function forgiveAttempt({ db, addressLimit }: Deps, update: IdentityUpdateSelf): Promise<void> {
  const { accountId, identityId, clientAddress } = update
  await forgetLoginAttempts(db, identityLoginKeys(accountId, identityId).byName)
  addressLimit.refund(clientAddress)
}

/** @returns false when nothing was written, because the identity's password has changed since it was verified */
async function store(deps: Deps, update: IdentityUpdateSelf, change: Hashes & { eventId: string }): Promise<boolean> {
  try {
    return await announcing(deps).transaction((tx) => write(tx, update, change))
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new AppError('IDENTITY_UNABLE_TO_CREATE')
  }
}

async function write(
  tx: Transaction,
  { accountId, identityId, change, sessionHash, actor }: IdentityUpdateSelf,
  { proven, newHash, eventId }: Hashes & { eventId: string },
): Promise<boolean> {
  const at = { accountId, identityId }
  const now = await tx.now()
  const locked = await lockIdentity(tx, at)
  if (!locked?.identity.activated) throw new AppError('IDENTITY_NOT_AUTHENTICATED')
  const changed = changedBy(change, locked.identity)
  if (changed.length === 0) return true
  assertGroupRules(change, locked.settings)
  const isGuarded = needsCurrentPassword(changed)
  if (isGuarded && (proven === null || proven !== locked.passwordHash)) return false
  const { password: _hashed, ...fields } = change
  const identity = changedIdentity(locked.identity, fields, { hasNewPassword: newHash !== null, now })
  await updateIdentity(tx, identity, newHash === null ? {} : { passwordHash: newHash })
  if (isGuarded) await deleteOneTimeTokens(tx, at)
  if (newHash !== null) await deleteIdentitySessions(tx, { ...at, except: sessionHash })
  await insertEvents(tx, [
    identityEvent('identity-updated', identity, { id: eventId, actor, at: now, attachments: { changed } }),
  ])
  return true
}
