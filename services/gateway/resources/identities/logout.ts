import { deleteIdentitySession, deleteIdentitySessions } from '#shared/data/identities/identity-sessions.ts'
import { AppError } from '#shared/errors.ts'
import { isAllowedForAny } from '../../auth/authorize.ts'
import type { IdentityCredential } from '../../auth/credential.ts'
import { revokeIdentity, revokeToken } from '../../auth/revocation.ts'
import type { TokenPrincipal } from '../../request/principal.ts'
import type { IdentityDeps } from './context.ts'

type Logout = { principal: TokenPrincipal; presented: IdentityCredential; all: boolean }

/**
 * Ends the presented session, or every session of its identity; a session that has already ended is not an error (contract
 * 2.5). Done here and not by the identity service, so that it works while NATS is unreachable: on this gateway before the
 * response, on others by the message or, without it, when their caches expire.
 * @throws TOKEN_NOT_AUTHORIZED, IDENTITY_NOT_AUTHENTICATED
 */
export async function logoutIdentity(deps: IdentityDeps, { principal, presented, all }: Logout): Promise<void> {
  const permission = { action: 'authenticate', resourceType: 'identity' } as const
  if (!isAllowedForAny(principal, permission)) throw new AppError('TOKEN_NOT_AUTHORIZED')
  const session = await deps.auth.identitySession(principal, presented)
  if (!session || presented.tokenHash === null) return
  const { accountId } = principal
  if (all) await endIdentitySessions(deps, { accountId, identityId: session.identity.id })
  else await endIdentitySession(deps, { accountId, tokenHash: presented.tokenHash })
}

/** Ends one session: on this gateway before it returns, on others by the message. */
export async function endIdentitySession(
  deps: IdentityDeps,
  session: { accountId: string; tokenHash: string },
): Promise<void> {
  await deleteIdentitySession(deps.db, session)
  revokeToken(deps, session.tokenHash)
}

/** Ends every session of an identity, likewise. */
export async function endIdentitySessions(
  deps: IdentityDeps,
  of: { accountId: string; identityId: string },
): Promise<void> {
  await deleteIdentitySessions(deps.db, of)
  revokeIdentity(deps, of.identityId)
}
