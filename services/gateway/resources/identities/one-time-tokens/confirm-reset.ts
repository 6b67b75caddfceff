import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import type { IdentityChangeAnswer, IdentityResetPassword } from '#shared/bus/messages/identity.ts'
import { hashingTimeoutMs } from '#shared/bus/messages/identity.ts'
import type { IdentityDeps } from '../context.ts'
import { getOwnIdentity, type OwnIdentity } from '../get-self.ts'
import { getTokenOwner } from './token-owner.ts'

type Reset = { principal: AuthenticatedPrincipal; token: string; password: string; requestId: string }

/**
 * Sets a new password with a reset token (contract 2.5). The identity service writes the password and uses up the token in
 * one transaction. Every session of the identity has ended on this gateway before the response.
 * @throws TOKEN_NOT_AUTHORIZED, IDENTITY_TOKEN_INVALID, VALIDATION_FAILED, SERVICE_UNAVAILABLE
 */
export async function confirmReset(
  deps: IdentityDeps,
  { principal, token, password, requestId }: Reset,
): Promise<OwnIdentity> {
  const { accountId, actor } = principal
  const { identityId, key } = await getTokenOwner(deps, principal, { kind: 'reset', token })
  const message: IdentityResetPassword = { accountId, tokenHash: key.tokenHash, password, actor }
  const options = { timeoutMs: hashingTimeoutMs, requestId }
  await deps.bus.request<IdentityChangeAnswer>('identity.reset-password', message, options)
  deps.auth.invalidateIdentity(identityId)
  return getOwnIdentity(deps, { accountId, identityId })
}
