import { isAllowed } from '#services/gateway/auth/authorize.ts'
import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import type { IdentityLogin, IdentityLoginAnswer } from '#shared/bus/messages/identity.ts'
import { hashingTimeoutMs } from '#shared/bus/messages/identity.ts'
import { findIdentityId } from '#shared/data/identities/identities.ts'
import { type LoginIdentifier, loginKey } from '#shared/domain/identity/sign-in.ts'
import type { IdentityDeps } from '../context.ts'
import { getOwnIdentity, type OwnIdentity } from '../get-self.ts'

/** The body of a login. */
export type LoginBody = { group?: string; password: string } & ({ name: string } | { email: string })

type Login = {
  principal: AuthenticatedPrincipal
  body: LoginBody
  clientAddress: string
  requestId: string
}

/**
 * Signs an identity in: the identity service verifies the password and opens the session (contract 2.5).
 * @throws IDENTITY_NOT_AUTHENTICATED for any wrong input; IDENTITY_EMAIL_NOT_VERIFIED, IDENTITY_TOO_MANY_ATTEMPTS,
 *   SERVICE_UNAVAILABLE
 */
export async function loginIdentity(
  deps: IdentityDeps,
  { principal, body, clientAddress, requestId }: Login,
): Promise<OwnIdentity & { token: string; expiresAt: number }> {
  const { accountId } = principal
  const { password, group = null, ...named } = body
  const who: LoginIdentifier = { group, ...named }
  const permitted = await maySignIn(deps, principal, who)
  const message: IdentityLogin = { accountId, who, password, permitted, clientAddress }
  const options = { timeoutMs: hashingTimeoutMs, requestId }
  const answer = await deps.bus.request<IdentityLoginAnswer>('identity.login', message, options)
  const { identityId, token, expiresAt } = answer
  return { ...(await getOwnIdentity(deps, { accountId, identityId })), token, expiresAt }
}

/**
 * Whether the principal may sign the named identity in. If not, the identity service is called anyway: neither the
 * response nor its time may reveal identities that a token has no access to.
 */
async function maySignIn(
  { db }: IdentityDeps,
  principal: AuthenticatedPrincipal,
  who: LoginIdentifier,
): Promise<boolean> {
  const key = loginKey(who)
  const identityId = key ? await findIdentityId(db, { accountId: principal.accountId, ...key }) : null
  return isAllowed(principal, { action: 'authenticate', resourceType: 'identity', identityId, group: who.group })
}
