import type { Database } from '#shared/data/database.ts'
import { findTokenByHash } from '#shared/data/tokens/tokens.ts'
import { findSessionByTokenHash } from '#shared/data/users/sessions.ts'
import { createAccountLimits, type Plan } from '#shared/domain/plan/plan.ts'
import { AppError } from '#shared/errors.ts'
import type { Logger } from '#shared/log/logger.ts'
import type { ClientConnection } from '../request/client-address.ts'
import type { AuthenticatedPrincipal } from '../request/principal.ts'
import { type AsyncCache, type AsyncCacheLimits, createAsyncCache } from './caches/async-cache.ts'
import { type CachedSession, cachedSession } from './caches/cached-session.ts'
import { type CachedToken, cachedToken } from './caches/cached-token.ts'
import { createIdentityCache, type IdentityCache } from './caches/identity-cache.ts'
import { type AuthRequest, type Credential, readCredential, withoutIdentity } from './credential.ts'
import { createLastUsedRecorder, type LastUsedRecorder } from './last-used-recorder.ts'
import { isFromThisOrigin } from './same-origin.ts'

const noCredentials =
  'Credentials are missing: send an API token as x-api-token, or the session of a user as "authorization: Bearer …".'

/** Authenticates requests, by database reads that are at most 5 s old. */
export type Authenticator = {
  /**
   * @param options.identity `ignored`: identity headers are ignored
   * @param options.isUse false: only checks whether the credentials are still valid; does not count as a use of a token or a session
   * @throws USER_NOT_AUTHENTICATED, IDENTITY_NOT_AUTHENTICATED, TOKEN_NOT_AUTHORIZED, CROSS_SITE_REQUEST
   */
  authenticate(
    req: AuthRequest,
    client: ClientConnection,
    options?: { identity?: 'ignored'; isUse?: boolean },
  ): Promise<AuthenticatedPrincipal>
  /**
   * The hash of the session token that a request presents, active or not.
   * @throws USER_NOT_AUTHENTICATED, USER_MODE_REQUIRED, CROSS_SITE_REQUEST
   */
  sessionTokenHash(req: AuthRequest, client: ClientConnection): string
  identitySession: IdentityCache['sessionOf']
  /** Drops a token that was revoked or changed, here or by another process, from the caches. */
  invalidate(tokenHash: string): void
  /** Drops an identity that was changed, or whose sessions were ended, here or by another process, from the caches. */
  invalidateIdentity(identityId: string): void
  /** Drops the sessions of a user who was changed, or whose sessions were ended, here or by another process, from the caches. */
  invalidateUser(userId: string): void
  /** Drops the tokens and sessions of an account from the caches, after its price plan was changed. */
  invalidateAccount(accountId: string): void
  /** Drops the identities of a group whose settings were changed, here or by another process, from the caches. */
  invalidateGroup: IdentityCache['invalidateGroup']
  /** Calls `listener` after each drop: a previously accepted caller may be rejected now. */
  onInvalidated(listener: () => void): void
  close(): Promise<void>
}

/** How long a revoked token may still be accepted if the message about it was lost. */
const defaultKeepMs = 5_000

/**
 * @param options.plans the price plans of accounts, by their ids
 * @param options.now epoch milliseconds
 * @param options.keepMs how long a database read is cached
 */
export function createAuthenticator(options: {
  db: Database
  log: Logger
  now(): number
  publicUrl: string
  plans: Readonly<Record<string, Readonly<Plan>>>
  keepMs?: number
}): Authenticator {
  const { db, log, now, publicUrl, keepMs = defaultKeepMs } = options
  const accounts = createAccountLimits(options.plans)
  // A client that invents tokens must not fill the queue of reads.
  const limits: AsyncCacheLimits = { keepMs, maxEntries: 10_000, maxLookUps: 1_000 }
  const identities = createIdentityCache({ ...options, ...limits })
  const tokens = createAsyncCache<CachedToken>({
    find: async (hash) => cachedToken(await findTokenByHash(db, hash), accounts),
    ...limits,
  })
  const tokenUses = createLastUsedRecorder({
    db,
    table: 'tokens',
    onError: (error) => log('last_use.not_recorded', { err: error, table: 'tokens' }),
  })
  const sessions = createAsyncCache<CachedSession>({
    find: async (hash) => cachedSession(await findSessionByTokenHash(db, hash), accounts),
    ...limits,
  })

  /** @throws USER_NOT_AUTHENTICATED, CROSS_SITE_REQUEST */
  function credentialOf(req: AuthRequest, client: ClientConnection): Credential {
    const credential = readCredential(req.headers)
    if (credential === null) throw new AppError('USER_NOT_AUTHENTICATED', { message: noCredentials })
    const isCookie = credential.kind === 'session' && credential.fromCookie
    if (isCookie && !isFromThisOrigin(req, client, publicUrl)) throw new AppError('CROSS_SITE_REQUEST')
    return credential
  }

  return {
    async authenticate(req, client, { identity, isUse = true } = {}) {
      const presented = identity === 'ignored' ? { method: req.method, headers: withoutIdentity(req.headers) } : req
      const credential = credentialOf(presented, client)
      if (credential.kind === 'api')
        return authenticateToken(credential, { tokens, tokenUses, identities, now: now(), client, isUse })
      return authenticateSession(credential, { sessions, now: now() })
    },
    sessionTokenHash(req, client) {
      const { kind, tokenHash } = credentialOf(req, client)
      if (kind !== 'session') throw new AppError('USER_MODE_REQUIRED')
      return tokenHash
    },
    identitySession: identities.sessionOf,
    ...createInvalidation({ tokens, sessions, identities }),
    close: async () => void (await Promise.all([identities.close(), tokenUses.close()])),
  }
}

type Caches = { tokens: AsyncCache<CachedToken>; sessions: AsyncCache<CachedSession>; identities: IdentityCache }
type Invalidation = Pick<Authenticator, Extract<keyof Authenticator, `invalidate${string}` | 'onInvalidated'>>

function createInvalidation({ tokens, sessions, identities }: Caches): Invalidation {
  const listeners: (() => void)[] = []
  const dropping =
    <Args extends unknown[]>(drop: (...args: Args) => void) =>
    (...args: Args) => {
      drop(...args)
      for (const listener of listeners) listener()
    }

  return {
    invalidate: dropping((tokenHash: string) => {
      tokens.invalidate(tokenHash)
      sessions.invalidate(tokenHash)
      identities.invalidate(tokenHash)
    }),
    invalidateIdentity: dropping(identities.invalidateIdentity),
    invalidateUser: dropping((userId: string) =>
      sessions.invalidateWhere(({ principal }) => principal.userId === userId),
    ),
    invalidateAccount: dropping((accountId: string) => {
      tokens.invalidateWhere(({ principal }) => principal.accountId === accountId)
      sessions.invalidateWhere(({ principal }) => principal.accountId === accountId)
    }),
    invalidateGroup: dropping(identities.invalidateGroup),
    onInvalidated: (listener) => void listeners.push(listener),
  }
}

async function authenticateToken(
  { tokenHash, identity }: Credential & { kind: 'api' },
  context: {
    tokens: AsyncCache<CachedToken>
    tokenUses: LastUsedRecorder
    identities: IdentityCache
    now: number
    client: ClientConnection
    isUse: boolean
  },
): Promise<AuthenticatedPrincipal> {
  const { now, isUse } = context
  const token = await context.tokens.get(tokenHash)
  if (!token) throw new AppError('USER_NOT_AUTHENTICATED')
  const message = token.rejection(now, context.client.address)
  if (message) throw new AppError('USER_NOT_AUTHENTICATED', { message })
  if (isUse && token.use(now)) context.tokenUses.record(token.principal.tokenId, now)
  const principal = { ...token.principal, askedAt: now }
  return identity ? context.identities.actingFor(principal, identity, { isUse }) : principal
}

async function authenticateSession(
  { tokenHash }: Credential & { kind: 'session' },
  context: { sessions: AsyncCache<CachedSession>; now: number },
): Promise<AuthenticatedPrincipal> {
  const session = await context.sessions.get(tokenHash)
  if (!session?.isActive(context.now)) throw new AppError('USER_NOT_AUTHENTICATED')
  return session.principal
}
