import { isAllowed, isAllowedForAny } from '#services/gateway/auth/authorize.ts'
import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import { generateToken, tokenHash } from '#shared/crypto/token.ts'
import type { Transaction } from '#shared/data/database.ts'
import { findIdentityId, lockIdentity } from '#shared/data/identities/identities.ts'
import { countIdentitySessions } from '#shared/data/identities/identity-sessions.ts'
import { type OneTimeKind, putOneTimeToken } from '#shared/data/identities/one-time-tokens.ts'
import { isId } from '#shared/domain/id.ts'
import { defaultGroupSettings } from '#shared/domain/identity/group-fields.ts'
import type { Identity } from '#shared/domain/identity/identity.ts'
import { loginKey } from '#shared/domain/identity/sign-in.ts'
import { identityTokenMs } from '#shared/domain/limits.ts'
import { AppError } from '#shared/errors.ts'
import type { IdentityDeps } from '../context.ts'
import type { OwnIdentity } from '../get-self.ts'
import type { SubjectBody } from './schemas.ts'

/** The action that a token needs to request a one-time token of each kind; no other rule implies it (contract 3). */
export const requestAction = { reset: 'reset-password', verify: 'verify-email' } as const

type TokenRequest = { principal: AuthenticatedPrincipal; kind: OneTimeKind; who: SubjectBody }
type Requested = { token: string; expiresAt: number; own: OwnIdentity }

/**
 * Issues a one-time token for an identity, in place of its earlier one of this kind (contract 2.5). The client sends it to
 * the identity's email address, so the answer has the address.
 * If the identity does not exist, is deactivated, or has no email to verify, or if the principal has no access to it, the same
 * statements run on a row that belongs to no identity.
 * @returns null in these cases
 * @throws TOKEN_NOT_AUTHORIZED when the principal may not request tokens of this kind for any identity, or when it may view the
 *   identity that it names by id or name, but not request its token
 */
export async function requestOneTimeToken(
  { db }: Pick<IdentityDeps, 'db'>,
  { principal, kind, who }: TokenRequest,
): Promise<Requested | null> {
  // The decision for a request that names no existing identity; `isSubject` decides about an existing one.
  if (!isAllowedForAny(principal, { action: requestAction[kind], resourceType: 'identity' })) {
    throw new AppError('TOKEN_NOT_AUTHORIZED')
  }
  const { accountId } = principal
  const { group = null, ...named } = who
  const key = 'identityId' in named ? null : loginKey({ group, ...named })
  const namedId = 'identityId' in named && isId(named.identityId) ? named.identityId : null
  const identityId = key ? await findIdentityId(db, { accountId, ...key }) : namedId
  const token = generateToken(kind)
  const options = { principal, kind, who, hash: tokenHash(token) }
  const issued = await db.transaction((tx) => issue(tx, { accountId, identityId: identityId ?? accountId }, options))
  return issued && { token, ...issued }
}

async function issue(
  tx: Transaction,
  at: { accountId: string; identityId: string },
  options: TokenRequest & { hash: string },
): Promise<Omit<Requested, 'token'> | null> {
  const { kind, hash } = options
  const now = await tx.now()
  const locked = await lockIdentity(tx, at)
  const settings = locked?.settings ?? defaultGroupSettings
  const sessionCount = await countIdentitySessions(tx, { ...at, settings, now })
  const identity = locked && isSubject(locked.identity, options) ? locked.identity : null
  const expiresAt = now + identityTokenMs[kind]
  // No identity has the id of an account: a row with this id belongs to no identity.
  const owner = identity?.id ?? at.accountId
  const times = { createdAt: now, expiresAt }
  await putOneTimeToken(tx, { accountId: at.accountId, identityId: owner, kind, tokenHash: hash, ...times })
  return identity && { expiresAt, own: { identity, sessionCount } }
}

/**
 * @throws TOKEN_NOT_AUTHORIZED when the principal may view the identity but not request its token; not if the request names
 *   an email: a principal that views the identity does not see its email, so the error would reveal whose email it is
 */
function isSubject(identity: Identity, { principal, kind, who }: TokenRequest): boolean {
  if (who.group !== undefined && who.group !== identity.group) return false
  const request = { resourceType: 'identity', identityId: identity.id, group: identity.group } as const
  if (!isAllowed(principal, { ...request, action: requestAction[kind] })) {
    if ('email' in who || !isAllowed(principal, { ...request, action: 'view' })) return false
    throw new AppError('TOKEN_NOT_AUTHORIZED')
  }
  return identity.activated && (kind === 'reset' || identity.email !== null)
}
