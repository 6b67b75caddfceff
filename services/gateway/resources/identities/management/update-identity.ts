import { authorize } from '#services/gateway/auth/authorize.ts'
import { revokeIdentity } from '#services/gateway/auth/revocation.ts'
import type { PasswordHashAnswer } from '#shared/bus/messages/identity.ts'
import { hashingTimeoutMs } from '#shared/bus/messages/identity.ts'
import { isUniqueViolation } from '#shared/data/database-errors.ts'
import { announcing } from '#shared/data/events/events.ts'
import type { GroupedIdentity } from '#shared/data/identities/identities.ts'
import { changeIdentity } from '#shared/data/identities/identity-changes.ts'
import type { IdentityBody } from '#shared/domain/identity/change.ts'
import type { GroupSettings } from '#shared/domain/identity/group-fields.ts'
import { passwordErrors } from '#shared/domain/identity/password.ts'
import { AppError, validationFailed } from '#shared/errors.ts'
import type { IdentityDeps } from '../context.ts'
import { getIdentity, type IdentityRequest } from './load-identity.ts'
import { assertMaySet } from './may-set.ts'

/** The body of an update. */
export type IdentityUpdate = IdentityBody & { password?: string }

type Update = IdentityRequest & { body: IdentityUpdate; requestId: string }

/**
 * Changes an identity on behalf of the account. A new password and a deactivation end its sessions: on this gateway before
 * the response, on others when they receive the message or, without it, when their caches expire. A token needs
 * `reset-password` to set a password, which no other rule implies.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, VALIDATION_FAILED, IDENTITY_EMAIL_REQUIRED,
 *   IDENTITY_UNABLE_TO_CREATE when another identity of the group has the name or email, SERVICE_UNAVAILABLE
 */
export async function updateIdentity(deps: IdentityDeps, update: Update): Promise<GroupedIdentity> {
  const { principal, body } = update
  const { identity, settings } = await getIdentity(deps, update, 'update')
  assertMaySet(principal, body)
  const { id: identityId, group } = identity
  if (body.password !== undefined) {
    authorize(principal, { action: 'reset-password', resourceType: 'identity', identityId, group })
  }
  const changed = await write(deps, update, { identityId, passwordHash: await hashOf(deps, update, settings) })
  revokeIdentity(deps, identityId)
  return changed
}

async function write(
  deps: IdentityDeps,
  { principal: { accountId, actor }, body: { password: _hashed, ...body } }: Update,
  prepared: { identityId: string; passwordHash: string | undefined },
): Promise<GroupedIdentity> {
  const change = { accountId, ...prepared, body, actor, eventId: deps.newId() }
  const changed = await announcing(deps)
    .transaction((tx) => changeIdentity(tx, change))
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('IDENTITY_UNABLE_TO_CREATE') : error
    })
  if (!changed) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  return changed
}

async function hashOf(
  { bus }: IdentityDeps,
  { body: { password }, requestId }: Update,
  { minPasswordLength }: GroupSettings,
): Promise<string | undefined> {
  if (password === undefined) return undefined
  const errors = passwordErrors(password, 'password', minPasswordLength)
  if (errors.length > 0) throw validationFailed(errors)
  const options = { timeoutMs: hashingTimeoutMs, requestId }
  return (await bus.request<PasswordHashAnswer>('identity.hash-password', { password }, options)).passwordHash
}
