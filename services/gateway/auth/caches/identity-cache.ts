import type { Database } from '#shared/data/database.ts'
import { findIdentitySession } from '#shared/data/identities/identity-sessions.ts'
import { isPermitted } from '#shared/domain/item/ownership.ts'
import { couldEverBeAllowed } from '#shared/domain/permissions.ts'
import { AppError } from '#shared/errors.ts'
import type { Logger } from '#shared/log/logger.ts'
import type { TokenPrincipal } from '../../request/principal.ts'
import type { IdentityCredential } from '../credential.ts'
import { createLastUsedRecorder } from '../last-used-recorder.ts'
import { type AsyncCacheLimits, createAsyncCache } from './async-cache.ts'
import { type CachedIdentity, cachedIdentity } from './cached-identity.ts'

/** The identities behind identity headers, by database reads that are at most 5 s old. */
export type IdentityCache = {
  /**
   * The principal acting for the presented identity.
   * @throws IDENTITY_NOT_AUTHENTICATED; TOKEN_NOT_AUTHORIZED when the token may sign no identity in
   */
  actingFor(principal: TokenPrincipal, presented: IdentityCredential): Promise<TokenPrincipal>
  /**
   * The presented session; null when it has ended or belongs to another account.
   * @throws IDENTITY_NOT_AUTHENTICATED when it is not an identity token, comes without its group, or is of an identity that
   *   the token may not sign in; TOKEN_NOT_AUTHORIZED when it may sign no identity in
   */
  sessionOf(principal: TokenPrincipal, presented: IdentityCredential): Promise<CachedIdentity | null>
  invalidate(tokenHash: string): void
  /** Drops all sessions of an identity. */
  invalidateIdentity(identityId: string): void
  /** Drops all sessions of a group's identities. */
  invalidateGroup(of: { accountId: string; group: string }): void
  close(): Promise<void>
}

/** @param options.now epoch milliseconds */
export function createIdentityCache(
  options: { db: Database; now(): number; log: Logger } & AsyncCacheLimits,
): IdentityCache {
  const { db, now, log, ...limits } = options
  const sessions = createAsyncCache<CachedIdentity>({
    find: async (tokenHash) => cachedIdentity(await findIdentitySession(db, tokenHash)),
    ...limits,
  })
  const uses = createLastUsedRecorder({
    ...{ db, table: 'sessions' },
    onError: (error) => log('last_use.not_recorded', { err: error, table: 'sessions' }),
  })

  async function sessionOf(principal: TokenPrincipal, { tokenHash, group }: IdentityCredential) {
    if (tokenHash === null) throw notAuthenticated()
    const session = await sessions.get(tokenHash)
    if (session?.accountId !== principal.accountId || !session.isActive(now())) return null
    const { groupName } = session.identity
    if (groupName !== null && groupName !== group) throw notAuthenticated()
    assertMaySignIn(principal, session.identity)
    return session
  }

  return {
    sessionOf,
    async actingFor(principal, presented) {
      const session = await sessionOf(principal, presented)
      if (!session) throw notAuthenticated()
      const { identity, sessionId } = session
      if (session.use(now())) uses.record(sessionId, now())
      const actor = { authMode: 'token', tokenId: principal.tokenId, identityId: identity.id } as const
      return { ...principal, identity, actor }
    },
    invalidate: sessions.invalidate,
    invalidateIdentity: (identityId) => sessions.invalidateWhere(({ identity }) => identity.id === identityId),
    invalidateGroup: ({ accountId, group }) =>
      sessions.invalidateWhere((session) => session.accountId === accountId && session.identity.groupName === group),
    close: uses.close,
  }
}

/** A session works with any token of the account that may sign its identity in (contract 2.5). */
function assertMaySignIn(principal: TokenPrincipal, identity: CachedIdentity['identity']): void {
  const { id: identityId, groupName: group } = identity
  const authenticate = { action: 'authenticate', resourceType: 'identity' } as const
  if (isPermitted(principal, { ...authenticate, identityId, group })) return
  if (!couldEverBeAllowed(principal.permissions, authenticate)) throw new AppError('TOKEN_NOT_AUTHORIZED')
  throw notAuthenticated()
}

function notAuthenticated(): AppError {
  return new AppError('IDENTITY_NOT_AUTHENTICATED')
}
