import { isAllowed, isAllowedForAny } from '#services/gateway/auth/authorize.ts'
import { revokeIdentity, revokeToken } from '#services/gateway/auth/revocation.ts'
import type { TokenPrincipal } from '#services/gateway/request/principal.ts'
import { deleteIdentitySession, deleteIdentitySessions } from '#shared/data/identities/identity-sessions.ts'
import { AppError } from '#shared/errors.ts'
import type { IdentityDeps } from '../context.ts'

/** `tokenHash` is null for text that is not a session. */
type Logout = { principal: TokenPrincipal; tokenHash: string | null; all: boolean }

/**
 * Ends the presented session, or every session of its identity. Other texts are not errors (contract 2.5): one that is not a session,
 * a session that has already ended, and one of an identity that the API token may not authenticate, which stays. The gateway does this,
 * not the identity service, so that it works while NATS is unreachable. On this gateway the session ends before the response; on others
 * when they receive the message or, without it, when their caches expire.
 * @throws TOKEN_NOT_AUTHORIZED
 */
export async function logoutIdentity(deps: IdentityDeps, { principal, tokenHash, all }: Logout): Promise<void> {
  const permission = { action: 'authenticate', resourceType: 'identity' } as const
  if (!isAllowedForAny(principal, permission)) throw new AppError('TOKEN_NOT_AUTHORIZED')
  const session = await deps.auth.identitySession(principal, tokenHash)
  if (!session || tokenHash === null) return
  const { id: identityId, groupName: group } = session.identity
  if (!isAllowed(principal, { ...permission, identityId, group })) return
  const { accountId } = principal
  if (all) await endIdentitySessions(deps, { accountId, identityId })
  else await endIdentitySession(deps, { accountId, tokenHash })
}

/** Ends one session: on this gateway before this returns, on others when they receive the message. */
export async function endIdentitySession(
  deps: IdentityDeps,
  session: { accountId: string; tokenHash: string },
): Promise<void> {
  await deleteIdentitySession(deps.db, session)
  revokeToken(deps, session.tokenHash)
}

/** Ends every session of an identity in the same way. */
export async function endIdentitySessions(
  deps: IdentityDeps,
  of: { accountId: string; identityId: string },
): Promise<void> {
  await deleteIdentitySessions(deps.db, of)
  revokeIdentity(deps, of.identityId)
}
