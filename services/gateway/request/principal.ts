import type { Permission } from '#shared/domain/access/permission-rule.ts'
import type { Permissions } from '#shared/domain/access/permissions.ts'
import type { Actor } from '#shared/domain/actor.ts'

/** The identity that a token acts for, as its session says (contract 1.2). */
export type PrincipalIdentity = { id: string; displayName: string; groupName: string | null }

/** An API token: may do what its rules allow, with an identity also what they allow owners. */
export type TokenPrincipal = {
  mode: 'token'
  accountId: string
  tokenId: string
  permissions: Permissions
  /** Null without identity headers. */
  identity: PrincipalIdentity | null
  actor: Actor
  /** Told each permission that a handler asked for and got. Only tests set it. */
  onGranted?: (permission: Permission) => void
}

/** A user with a session from `POST /auth/login`: may do everything in the account. */
export type UserPrincipal = { mode: 'user'; accountId: string; userId: string; sessionId: string; actor: Actor }

/** Who is calling (contract 1.2). Only `public` routes see `anonymous`; `user` routes see a user only. */
export type Principal = TokenPrincipal | UserPrincipal | { mode: 'anonymous' }

/** A principal whose account is known. */
export type AuthenticatedPrincipal = TokenPrincipal | UserPrincipal
