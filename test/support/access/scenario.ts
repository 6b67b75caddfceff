import type { Action, ResourceType } from '#shared/domain/access/permission-rule.ts'
import type { Contents } from './account-contents.ts'

/** The permissions that a token's rules must allow. */
export type Need = `${Action} ${ResourceType}`

/** How a route is called, and what the contract says it needs. */
export type Scenario = {
  /** The difference to other scenarios, if a route has several. */
  title?: string
  /** `authenticated`: any live credential; `user`: no API token. */
  needs: 'public' | 'authenticated' | 'user' | readonly Need[]
  /** The additional permissions for this body; without them the answer is 403. */
  byBody?: readonly Need[]
  /**
   * `own`: the route serves the identity of the headers, in a session that is created for the request; `any`: the same, but it also
   * accepts an identity that the rules do not select; `ignored`: clients send stale headers to the route; `ended`: the identity has
   * signed out.
   */
  identity?: 'own' | 'any' | 'ignored' | 'ended'
  /**
   * The subject of the needs, if it is not the resource in the path. `any`: any that the rules select; `nothing`: no existing
   * resource; the resources that the `body` names; the `items` of the list in the path; the `session` of the credential; the identity
   * `Ada`, of which callers without access to her learn nothing.
   */
  about?: 'any' | 'nothing' | 'body' | 'items' | 'session' | 'Ada'
  body?: (contents: Contents) => unknown
  query?: string
  /** For permitted callers; by default 201 for POST, and 200 otherwise. */
  answer?: string
  /** For a user, if the route serves only tokens. */
  userAnswer?: string
}
