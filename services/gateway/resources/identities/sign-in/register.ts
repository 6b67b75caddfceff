import { authorize } from '#services/gateway/auth/authorize.ts'
import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import type { IdentityRegister, IdentityRegisterAnswer } from '#shared/bus/messages/identity.ts'
import { hashingTimeoutMs } from '#shared/bus/messages/identity.ts'
import { normalIdentityName } from '#shared/domain/identity/identity.ts'
import { normalEmail } from '#shared/domain/user/user.ts'
import type { IdentityDeps } from '../context.ts'
import { getOwnIdentity, type OwnIdentity } from '../get-self.ts'

/** The body of a registration. */
export type Registration = { group?: string; name: string; displayName?: string; email?: string; password: string }

type Registering = {
  principal: AuthenticatedPrincipal
  body: Registration
  clientAddress: string
  requestId: string
}

/**
 * Registers an identity without signing it in (contract 2.5). The display name defaults to the name.
 * @throws TOKEN_NOT_AUTHORIZED, REQUESTED_ENTITY_NOT_FOUND, RATE_LIMIT_EXCEEDED, VALIDATION_FAILED, IDENTITY_EMAIL_REQUIRED,
 *   IDENTITY_UNABLE_TO_CREATE, MAX_IDENTITIES_EXCEEDED, SERVICE_UNAVAILABLE
 */
export async function registerIdentity(
  deps: IdentityDeps,
  { principal, body, clientAddress, requestId }: Registering,
): Promise<OwnIdentity> {
  const { accountId, actor, limits } = principal
  const { group = null, email, password } = body
  authorize(principal, { action: 'register', resourceType: 'identity', group })
  const name = normalIdentityName(body.name)
  const displayName = normalIdentityName(body.displayName ?? name)
  const normal = { name, displayName, email: email === undefined ? null : normalEmail(email) }
  const limited = principal.mode === 'token' ? { clientAddress } : {}
  const message: IdentityRegister = { accountId, group, ...normal, password, actor, ...limited }
  if (limits?.maxIdentities != null) message.maxIdentities = limits.maxIdentities
  const options = { timeoutMs: hashingTimeoutMs, requestId }
  const { identityId } = await deps.bus.request<IdentityRegisterAnswer>('identity.register', message, options)
  return getOwnIdentity(deps, { accountId, identityId })
}
