import { authorize } from '#services/gateway/auth/authorize.ts'
import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import type { IdentityRegister, IdentityRegisterAnswer } from '#shared/bus/messages/identity.ts'
import { hashingTimeoutMs } from '#shared/bus/messages/identity.ts'
import { findIdentity, type GroupedIdentity } from '#shared/data/identities/identities.ts'
import { type IdentityBody, normalIdentityBody, verifiedEmailErrors } from '#shared/domain/identity/change.ts'
import { AppError, validationFailed } from '#shared/errors.ts'
import type { IdentityDeps } from '../context.ts'
import { assertMaySet } from './may-set.ts'

/** The body of a create. */
export type NewIdentity = IdentityBody & { name: string; group?: string | null; password?: string }

/**
 * Creates an identity on behalf of the account. Without a password it cannot sign in until it gets one.
 * @throws TOKEN_NOT_AUTHORIZED, REQUESTED_ENTITY_NOT_FOUND, VALIDATION_FAILED, IDENTITY_EMAIL_REQUIRED,
 *   IDENTITY_UNABLE_TO_CREATE, MAX_IDENTITIES_EXCEEDED, SERVICE_UNAVAILABLE
 */
export async function createIdentity(
  { db, bus }: Pick<IdentityDeps, 'db' | 'bus'>,
  { principal, body, requestId }: { principal: AuthenticatedPrincipal; body: NewIdentity; requestId: string },
): Promise<GroupedIdentity> {
  const { accountId, actor, limits } = principal
  const { group = null, password = null, ...fields } = body
  authorize(principal, { action: 'create', resourceType: 'identity', group })
  assertMaySet(principal, fields)
  const { name, displayName = name, email = null, ...others } = normalIdentityBody(fields)
  const errors = verifiedEmailErrors({ email, emailVerified: others.emailVerified === true })
  if (errors.length > 0) throw validationFailed(errors)
  const message: IdentityRegister = { accountId, group, name, displayName, email, password, actor, ...others }
  if (limits?.maxIdentities != null) message.maxIdentities = limits.maxIdentities
  const options = { timeoutMs: hashingTimeoutMs, requestId }
  const { identityId } = await bus.request<IdentityRegisterAnswer>('identity.register', message, options)
  const identity = await findIdentity(db, { accountId, identityId })
  if (!identity) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  return identity
}
