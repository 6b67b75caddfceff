import type { Database } from '#shared/data/database.ts'
import { findIdentitySession } from '#shared/data/identities/identity-sessions.ts'
import { decideActing } from '#shared/domain/access/permissions.ts'
import { AppError } from '#shared/errors.ts'
import type { Logger } from '#shared/log/logger.ts'
import type { TokenPrincipal } from '../../request/principal.ts'
import type { IdentityCredential } from '../credential.ts'
import { createLastUsedRecorder } from '../last-used-recorder.ts'
import { type AsyncCacheLimits, createAsyncCache } from './async-cache.ts'
import { type CachedIdentity, cachedIdentity } from './cached-identity.ts'

/** The identities that identity headers present, by database reads that are at most 5 s old. */
export type IdentityCache = {
  /**
   * The principal acting for the presented identity.
   * @param options.isUse whether its session is used, which restarts the idle time
   * @throws IDENTITY_NOT_AUTHENTICATED; TOKEN_NOT_AUTHORIZED when the token may not sign in any identity
   */
  actingFor(
    principal: TokenPrincipal,
    presented: IdentityCredential,
    options: { isUse: boolean },
  ): Promise<TokenPrincipal>
  /** The presented session; null when it has ended, belongs to another account, or is not a session of an identity. */
  sessionOf(principal: TokenPrincipal, tokenHash: string | null): Promise<CachedIdentity | null>
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
    db,
    table: 'sessions',
    onError: (error) => log('last_use.not_recorded', { err: error, table: 'sessions' }),
  })

  async function sessionOf(principal: TokenPrincipal, tokenHash: string | null) {
    const session = tokenHash === null ? null : await sessions.get(tokenHash)
    return session?.accountId === principal.accountId && session.isActive(now()) ? session : null
  }

  return {
    sessionOf,
    async actingFor(principal, { tokenHash, group }, { isUse }) {
      const session = await sessionOf(principal, tokenHash)
      if (!session) throw notAuthenticated()
      const { identity, sessionId } = session
      if (identity.groupName !== null && identity.groupName !== group) throw notAuthenticated()
      assertMaySignIn(principal, identity)
      if (isUse && session.use(now())) uses.record(sessionId, now())
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
function assertMaySignIn({ permissions }: TokenPrincipal, identity: CachedIdentity['identity']): void {
  const decision = decideActing(permissions, identity)
  if (decision === 'forbidden') throw new AppError('TOKEN_NOT_AUTHORIZED')
  if (decision === 'signed out') throw notAuthenticated()
}

function notAuthenticated(): AppError {
  return new AppError('IDENTITY_NOT_AUTHENTICATED')
}
