import type { Action, ResourceType } from '#shared/domain/access/permission-rule.ts'
import type { Contents } from './account-contents.ts'

/** The permissions that a token's rules must allow. */
export type Need = `${Action} ${ResourceType}`

/** How a route is called, and what the contract says it needs. */
export type Scenario = {
  /** What distinguishes it, if a route has several. */
  title?: string
  /** `authenticated`: any live credential; `user`: no API token. */
  needs: 'public' | 'authenticated' | 'user' | readonly Need[]
  /** The additional permissions for this body; without them the answer is 403. */
  byBody?: readonly Need[]
  /**
   * `own`: the route serves the identity of the headers, in a session that is created for the request; `any`: likewise, and takes one
   * that the rules do not select too; `ignored`: clients send stale headers to it; `ended`: it has been signed out.
   */
  identity?: 'own' | 'any' | 'ignored' | 'ended'
  /**
   * What the needs are about when it is not what the path names. `any`: whatever the rules let it; `nothing` that is there
   * already; what the `body` names; the `items` of the list in the path; the `session` of the credential; the identity `Ada`, of
   * which those who have no access to her learn nothing.
   */
  about?: 'any' | 'nothing' | 'body' | 'items' | 'session' | 'Ada'
  body?: (contents: Contents) => unknown
  query?: string
  /** Of who may: 201 for POST, 200 otherwise, unless said here. */
  answer?: string
  /** Of a user, where it serves tokens only. */
  userAnswer?: string
}
