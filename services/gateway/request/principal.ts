import type { Actor } from '#shared/domain/actor.ts'
import type { Permissions } from '#shared/domain/permissions.ts'

/** The identity that a token acts for, as its session says (contract 1.2). */
export type CallerIdentity = { id: string; displayName: string; groupName: string | null }

/** Behind an API token: may do what the token's rules allow, with an identity also what they allow owners. */
export type TokenCaller = {
  mode: 'token'
  accountId: string
  tokenId: string
  permissions: Permissions
  /** Null without identity headers. */
  identity: CallerIdentity | null
  actor: Actor
}

/** Behind a session from `POST /auth/login`: may do everything in the account. */
export type UserCaller = { mode: 'user'; accountId: string; userId: string; sessionId: string; actor: Actor }

/** Who is calling (contract 1.2). Routes with access `caller` never see `anyone`, those with `user` only see `user`. */
export type Caller = TokenCaller | UserCaller | { mode: 'anyone' }

/** A caller whose account is known. */
export type KnownCaller = TokenCaller | UserCaller
