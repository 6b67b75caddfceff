import { isAllowed } from '#services/gateway/auth/authorize.ts'
import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import { parseToken, tokenHash } from '#shared/crypto/token.ts'
import {
  findOneTimeTokenOwner,
  type OneTimeKind,
  type OneTimeTokenKey,
} from '#shared/data/identities/one-time-tokens.ts'
import { AppError } from '#shared/errors.ts'
import type { IdentityDeps } from '../context.ts'

/**
 * The identity that a one-time token is for, if the principal may sign it in (contract 2.5).
 * @throws IDENTITY_TOKEN_INVALID
 */
export async function getTokenOwner(
  { db }: IdentityDeps,
  principal: AuthenticatedPrincipal,
  { kind, token }: { kind: OneTimeKind; token: string },
): Promise<{ identityId: string; key: OneTimeTokenKey }> {
  if (parseToken(token)?.kind !== kind) throw new AppError('IDENTITY_TOKEN_INVALID')
  const { accountId } = principal
  const key = { accountId, kind, tokenHash: tokenHash(token) }
  const found = await findOneTimeTokenOwner(db, { ...key, now: await db.now() })
  if (!found?.identity.activated) throw new AppError('IDENTITY_TOKEN_INVALID')
  const { id: identityId, group } = found.identity
  if (!isAllowed(principal, { action: 'authenticate', resourceType: 'identity', identityId, group })) {
    throw new AppError('IDENTITY_TOKEN_INVALID')
  }
  return { identityId, key }
}
