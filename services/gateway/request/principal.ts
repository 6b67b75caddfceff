import type { Permissions } from '#shared/domain/access/compiled-rules.ts'
import type { Permission } from '#shared/domain/access/permission-rule.ts'
import type { ActingIdentity } from '#shared/domain/access/permissions.ts'
import type { Actor } from '#shared/domain/actor.ts'
import type { PlanLimits } from '#shared/domain/plan/plan.ts'
import type { RateLimits } from '#shared/domain/plan/rates.ts'

/** The identity that a token acts for, from its session (contract 1.2). */
export type PrincipalIdentity = Required<ActingIdentity> & { displayName: string }

/** An API token. It may do what its rules allow; with an identity also what the rules allow owners. */
export type TokenPrincipal = {
  mode: 'token'
  accountId: string
  /** The limits of its account; null: none. */
  limits: PlanLimits | null
  /** How many requests its account may send; null: any number. */
  rates: RateLimits | null
  tokenId: string
  tokenTags: readonly string[]
  /** The time of the request, in epoch milliseconds: rules use a single time, however long the request takes. */
  askedAt: number
  /** How many requests a minute the token may send; null: any number. */
  perMinute: number | null
  permissions: Permissions
  /** Null without identity headers. */
  identity: PrincipalIdentity | null
  actor: Actor
  /** Receives each permission that a handler requested and was granted. Only tests set it. */
  onGranted?: (permission: Permission) => void
}

/** A user with a session from `POST /auth/login`: may do everything in the account. */
export type UserPrincipal = {
  mode: 'user'
  accountId: string
  /** The limits of its account; null: none. */
  limits: PlanLimits | null
  /** How many requests its account may send; null: any number. */
  rates: RateLimits | null
  userId: string
  sessionId: string
  actor: Actor
}

/** Who is calling (contract 1.2). Only `public` and `user or nobody` routes see `anonymous`; `user` routes see a user only. */
export type Principal = TokenPrincipal | UserPrincipal | AnonymousPrincipal

export type AnonymousPrincipal = { mode: 'anonymous' }

/** A principal whose account is known. */
export type AuthenticatedPrincipal = TokenPrincipal | UserPrincipal

/**
 * A run of a flow. The author of the flow decides what it reads and writes, so rules of tokens do not apply to it; locked items
 * reject it as they reject tokens.
 */
export type FlowPrincipal = {
  mode: 'flow'
  accountId: string
  limits: PlanLimits | null
  actor: Actor
  /** Whether the reading node sees guarded values. */
  seesGuarded: boolean
}

/** The principals that read and write items. */
export type ItemPrincipal = AuthenticatedPrincipal | FlowPrincipal

/**
 * Who may call a route (contract 1.2, 3). A user may call all of them, a token:
 * - `public`: like any caller, even without credentials;
 * - `authenticated`: if it is live, because the route serves only the principal's own data;
 * - `user`, `user or nobody`: never (403 USER_MODE_REQUIRED). A request with `optional=true` and without a live session calls the
 *   second as `anonymous`;
 * - otherwise: if its rules allow all these actions on what the request names. Those in `byBody` are needed for some bodies only.
 */
export type RoutePermission =
  | 'public'
  | 'authenticated'
  | 'user'
  | 'user or nobody'
  | Permission
  | readonly Permission[]
  | { always: readonly Permission[]; byBody: readonly Permission[] }

/**
 * How identity headers are handled; by default they are `verified`. `ignored`: clients may send stale ones when they sign in
 * (contract 2.5). `unverified`: they must be sent with an API token, and the handler reads them, also those of a session that has
 * ended.
 */
export type IdentityRule = 'verified' | 'ignored' | 'unverified'

/** The principals that may call a route, and that its handler can receive. */
export type PrincipalOf<Permitted extends RoutePermission, Identity extends IdentityRule> = Permitted extends 'public'
  ? AnonymousPrincipal
  : Permitted extends 'user or nobody'
    ? UserPrincipal | AnonymousPrincipal
    : Permitted extends 'user'
      ? UserPrincipal
      : Identity extends 'unverified'
        ? TokenPrincipal
        : AuthenticatedPrincipal
