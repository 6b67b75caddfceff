import type { Actor } from '#shared/domain/actor.ts'
import type { Permissions } from '#shared/domain/permissions.ts'

/** Behind an API token: may do what the token's rules allow. */
export type TokenCaller = { mode: 'token'; accountId: string; tokenId: string; permissions: Permissions; actor: Actor }

/** Behind a session from `POST /auth/login`: may do everything in the account. */
export type UserCaller = { mode: 'user'; accountId: string; userId: string; sessionId: string; actor: Actor }

/** Who is calling (contract 1.2). Routes with access `caller` never see `anyone`, those with `user` only see `user`. */
export type Caller = TokenCaller | UserCaller | { mode: 'anyone' }

/** A caller whose account is known. */
export type KnownCaller = TokenCaller | UserCaller
