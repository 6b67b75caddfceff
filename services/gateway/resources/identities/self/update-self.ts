import type { IdentityChangeAnswer, IdentityUpdateSelf } from '#shared/bus/messages/identity.ts'
import { hashingTimeoutMs } from '#shared/bus/messages/identity.ts'
import { normalIdentityBody } from '#shared/domain/identity/change.ts'
import type { IdentityDeps } from '../context.ts'
import { getOwnIdentity, type OwnIdentity } from '../get-self.ts'
import type { ActingIdentity } from './acting-identity.ts'
import type { UpdateSelfBody } from './schemas.ts'

type Update = { acting: ActingIdentity; body: UpdateSelfBody; clientAddress: string; requestId: string }

/**
 * Changes an identity at its own request: the identity service verifies the current password if needed, and writes
 * the change (contract 2.5). Sessions that the change ends have ended on this gateway before the response.
 * @throws IDENTITY_NOT_AUTHENTICATED, IDENTITY_TOO_MANY_ATTEMPTS, VALIDATION_FAILED, IDENTITY_EMAIL_REQUIRED,
 *   IDENTITY_UNABLE_TO_CREATE, SERVICE_UNAVAILABLE
 */
export async function updateSelf(
  deps: IdentityDeps,
  { acting, body, clientAddress, requestId }: Update,
): Promise<OwnIdentity> {
  const { currentPassword = null, ...change } = body
  const message: IdentityUpdateSelf = { ...acting, change: normalIdentityBody(change), currentPassword, clientAddress }
  const options = { timeoutMs: hashingTimeoutMs, requestId }
  await deps.bus.request<IdentityChangeAnswer>('identity.update-self', message, options)
  deps.auth.invalidateIdentity(acting.identityId)
  return getOwnIdentity(deps, acting)
}
