import type { IncomingMessage } from 'node:http'
import type { Database } from '#shared/data/database.ts'
import { findSessionByTokenHash } from '#shared/data/sessions.ts'
import { findTokenByHash } from '#shared/data/tokens.ts'
import { AppError } from '#shared/errors.ts'
import type { ClientConnection } from '../http/client-address.ts'
import type { KnownCaller } from './caller.ts'
import { type Credential, readCredential } from './credential.ts'
import { type LiveSession, liveSession } from './live-session.ts'
import { type LiveToken, liveToken } from './live-token.ts'
import { createLookUpCache, type LookUpCache } from './look-up-cache.ts'
import { isFromThisOrigin } from './same-origin.ts'

/** The part of a request that tells who sent it. */
export type Asking = Pick<IncomingMessage, 'method' | 'headers'>

/** Finds out who is calling, by what the database said at most 5 s ago. */
export type Authenticator = {
  /** @throws USER_NOT_AUTHENTICATED, IDENTITY_NOT_AUTHENTICATED, CROSS_SITE_REQUEST */
  authenticate(req: Asking, client: ClientConnection): Promise<KnownCaller>
  /**
   * The hash of the session token that a request shows, live or not.
   * @throws USER_NOT_AUTHENTICATED, USER_MODE_REQUIRED, CROSS_SITE_REQUEST
   */
  sessionTokenHash(req: Asking, client: ClientConnection): string
  /** Drops what is known of a token that was revoked, here or by another process. */
  forget(tokenHash: string): void
}

/** Also how long a revoked token may still pass when the message of it was lost. */
const keepMs = 5_000
const maxEntries = 10_000
/** Look-ups of one kind under way at once: whoever makes up tokens must not fill the queue of reads. */
const maxLookUps = 1_000

/** @param options.now epoch milliseconds */
export function createAuthenticator(options: { db: Database; now(): number; publicUrl: string }): Authenticator {
  const { db, now, publicUrl } = options
  const tokens = createLookUpCache<LiveToken>({
    find: async (hash) => liveToken(await findTokenByHash(db, hash)),
    ...{ now: elapsed, keepMs, maxEntries, maxLookUps },
  })
  const sessions = createLookUpCache<LiveSession>({
    find: async (hash) => liveSession(await findSessionByTokenHash(db, hash)),
    ...{ now: elapsed, keepMs, maxEntries, maxLookUps },
  })

  /** @throws USER_NOT_AUTHENTICATED, CROSS_SITE_REQUEST */
  function credentialOf(req: Asking, client: ClientConnection): Credential {
    const credential = readCredential(req.headers)
    if (credential === null) throw new AppError('USER_NOT_AUTHENTICATED')
    const isCookie = credential.kind === 'session' && credential.fromCookie
    if (isCookie && !isFromThisOrigin(req, client, publicUrl)) throw new AppError('CROSS_SITE_REQUEST')
    return credential
  }

  return {
    async authenticate(req, client) {
      const credential = credentialOf(req, client)
      if (credential.kind === 'api') return tokenCaller(credential, { tokens, now: now(), client })
      return sessionCaller(credential, { sessions, now: now() })
    },
    sessionTokenHash(req, client) {
      const { kind, tokenHash } = credentialOf(req, client)
      if (kind !== 'session') throw new AppError('USER_MODE_REQUIRED')
      return tokenHash
    },
    forget(tokenHash) {
      tokens.forget(tokenHash)
      sessions.forget(tokenHash)
    },
  }
}

/** Keeping is timed on a clock that nobody sets. */
const elapsed = () => performance.now()

async function tokenCaller(
  { tokenHash, hasIdentity }: Credential & { kind: 'api' },
  context: { tokens: LookUpCache<LiveToken>; now: number; client: ClientConnection },
): Promise<KnownCaller> {
  const token = await context.tokens.get(tokenHash)
  if (!token?.isLive(context.now, context.client.address)) throw new AppError('USER_NOT_AUTHENTICATED')
  // No identity can have signed in yet, so the token of one is never right.
  if (hasIdentity) throw new AppError('IDENTITY_NOT_AUTHENTICATED')
  return token.caller
}

async function sessionCaller(
  { tokenHash }: Credential & { kind: 'session' },
  context: { sessions: LookUpCache<LiveSession>; now: number },
): Promise<KnownCaller> {
  const session = await context.sessions.get(tokenHash)
  if (!session?.isLive(context.now)) throw new AppError('USER_NOT_AUTHENTICATED')
  return session.caller
}
