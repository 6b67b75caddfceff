import type { Database } from '#shared/data/database.ts'
import { findIdentitySession } from '#shared/data/identities/identity-sessions.ts'
import { isPermitted } from '#shared/domain/item/ownership.ts'
import { mayEver } from '#shared/domain/permissions.ts'
import { AppError } from '#shared/errors.ts'
import type { Logger } from '#shared/log/logger.ts'
import type { TokenCaller } from '../../request/principal.ts'
import type { IdentityCredential } from '../credential.ts'
import { createNotedUses } from '../last-used-recorder.ts'
import { createLookUpCache, type LookUpLimits } from './async-cache.ts'
import { type LiveIdentity, liveIdentity } from './cached-identity.ts'

/** The identities behind identity headers, by what the database said at most 5 s ago. */
export type Identities = {
  /**
   * The caller as the identity that it shows.
   * @throws IDENTITY_NOT_AUTHENTICATED; TOKEN_NOT_AUTHORIZED when the token may sign nobody in
   */
  actingFor(caller: TokenCaller, shown: IdentityCredential): Promise<TokenCaller>
  /**
   * The live session that is shown; null when it has ended, or is none of this account.
   * @throws IDENTITY_NOT_AUTHENTICATED for what is no identity token, does not come with its group, or is of an identity
   *   that the token may not sign in; TOKEN_NOT_AUTHORIZED when it may sign nobody in
   */
  sessionOf(caller: TokenCaller, shown: IdentityCredential): Promise<LiveIdentity | null>
  forget(tokenHash: string): void
  /** Drops everything that is known of an identity. */
  forgetIdentity(identityId: string): void
  close(): Promise<void>
}

/** @param options.now epoch milliseconds */
export function createIdentities(options: { db: Database; now(): number; log: Logger } & LookUpLimits): Identities {
  const { db, now, log, ...limits } = options
  const sessions = createLookUpCache<LiveIdentity>({
    find: async (tokenHash) => liveIdentity(await findIdentitySession(db, tokenHash)),
    ...limits,
  })
  const uses = createNotedUses({
    ...{ db, table: 'sessions' },
    onError: (error) => log.warn({ err: error }, 'the last use of sessions was not noted; it is with their next'),
  })

  async function sessionOf(caller: TokenCaller, { tokenHash, group }: IdentityCredential) {
    if (tokenHash === null) throw refused()
    const session = await sessions.get(tokenHash)
    if (session?.accountId !== caller.accountId || !session.isLive(now())) return null
    const { groupName } = session.identity
    if (groupName !== null && groupName !== group) throw refused()
    requirePermission(caller, session.identity)
    return session
  }

  return {
    sessionOf,
    async actingFor(caller, shown) {
      const session = await sessionOf(caller, shown)
      if (!session) throw refused()
      const { identity, sessionId } = session
      if (session.use(now())) uses.note(sessionId, now())
      const actor = { authMode: 'token', tokenId: caller.tokenId, identityId: identity.id } as const
      return { ...caller, identity, actor }
    },
    forget: sessions.forget,
    forgetIdentity: (identityId) => sessions.forgetWhere(({ identity }) => identity.id === identityId),
    close: uses.close,
  }
}

/** A session works with any token of the account that may sign its identity in (contract 2.5). */
function requirePermission(caller: TokenCaller, identity: LiveIdentity['identity']): void {
  const { id: identityId, groupName: group } = identity
  if (isPermitted(caller, { action: 'authenticate', resourceType: 'identity', identityId, group })) return
  if (!mayEver(caller.permissions, 'authenticate', 'identity')) throw new AppError('TOKEN_NOT_AUTHORIZED')
  throw refused()
}

function refused(): AppError {
  return new AppError('IDENTITY_NOT_AUTHENTICATED')
}
