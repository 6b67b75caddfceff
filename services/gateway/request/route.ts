import type Joi from 'joi'
import type { Config } from '#shared/config/load.ts'
import type { Permission } from '#shared/domain/access/permission-rule.ts'
import type { JsonSchema } from '#shared/domain/fields/json-schema.ts'
import type { FieldError } from '#shared/errors.ts'
import type { Principal } from './principal.ts'

/**
 * One line of the API's table: what is accepted, from which principals, and its handler with the dependencies that it uses.
 * All are in `resources/index.ts`.
 */
export type Route<Deps = unknown> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** hapi syntax: `/lists/{list}/items`. */
  path: string
  permission: RoutePermission
  /**
   * `ignored`: identity headers are ignored, because clients send stale ones along when they sign in (contract 2.5). `unverified`:
   * they have to be sent with an API token, and the handler reads them, also those of a session that has ended.
   */
  identity?: 'ignored' | 'unverified'
  /** Absent: the route takes no body; `{}` is accepted, properties are errors. */
  body?: BodyRule<Deps>
  /**
   * Requests that take much memory are handled one at a time, accounts in turn: `all` of the route, or those with a `large` body,
   * which is not even parsed before.
   */
  inTurn?: 'all' | 'large'
  /** Converts text to booleans, dates and numbers; parameters it does not name are errors. */
  query?: Joi.ObjectSchema
  /**
   * Parameters whose names only the request's list tells: the handler validates them. The API's description has them as one object
   * of texts.
   */
  otherParameters?: { name: string; description: string; example: Readonly<Record<string, string>> }
  handle: (request: ApiRequest, deps: Deps) => Promise<Response>
}

/**
 * Who may call a route (contract 1.2, 3). A user may call all of them, a token:
 * - `public`: as anybody, without credentials too;
 * - `authenticated`: if it is live, because the route serves only what is the principal's own;
 * - `user`: never (403 USER_MODE_REQUIRED);
 * - otherwise if its rules allow all these actions on what the request names. `byBody` are needed for some bodies only.
 */
export type RoutePermission =
  | 'public'
  | 'authenticated'
  | 'user'
  | Permission
  | readonly Permission[]
  | { always: readonly Permission[]; byBody: readonly Permission[] }

export type BodyRule<Deps = unknown> = ObjectBodyRule<Deps> | JsonBodyRule

export type BodySize = {
  /** Bytes of the body; a function of the configuration where operators may change it. */
  maxBytes: number | ((config: Config) => number)
  /**
   * The most entries of one property, and the error that says so: in a long body they are counted before it is parsed. The handler
   * validates a short one.
   */
  most?: { of: string; entries: number; error: FieldError }
}

/** A body that is any JSON value: the handler gets its source text, and validates it itself. */
export type JsonBodyRule = BodySize & {
  /** What it may be, for the API's description. */
  anyJson: JsonSchema
  /** Content types that are accepted beside `application/json`. */
  types?: readonly string[]
}

export type ObjectBodyRule<Deps = unknown> = BodySize & {
  /** Validates the parsed body without converting anything; unknown properties are errors. */
  schema: Joi.ObjectSchema
  /** Top-level properties whose source text the handler needs too: `request.text`. The schema does not validate them. */
  text?: readonly string[]
  /** The errors of those texts; sent together with the errors of the body. */
  textErrors?: (text: Record<string, string>, principal: Principal, deps: Deps) => Promise<readonly FieldError[]>
  /** An absent body is accepted, and undefined for the handler. */
  optional?: boolean
}

/** A request as handlers see it: the principal known, query and body validated. */
export type ApiRequest = {
  /** The request id: in the response's `x-request-id`, in logs, events and deliveries. */
  id: string
  principal: Principal
  params: Record<string, string>
  query: Record<string, unknown>
  /** Empty where the route does not have such parameters. */
  otherParameters: OtherParameters
  /** Matches the route's schema, where there is one; undefined when the body is optional and absent. */
  body: unknown
  /** Compact source text of a body that is any JSON value; empty on other routes. */
  bodyText: string
  /** Compact source text of the properties in `BodyRule.text` that were sent. */
  text: Record<string, string>
  /** Lower-case names. */
  headers: Record<string, string | undefined>
  /** The client's address, not that of a trusted proxy in front. */
  clientAddress: string
  /** Whether the client speaks TLS, to us or to a proxy in front. */
  secure: boolean
}

/** Parameters of a query that its route does not name, but the list may. */
export type OtherParameters = {
  /** As they were sent: a text, or an array of texts where a parameter was repeated. */
  values: Readonly<Record<string, unknown>>
  /** The names of the parameters that the route has. */
  routeParameters: readonly string[]
  /** The errors of those: the handler sends them together with its own. */
  errors: readonly FieldError[]
}

export type Response = {
  status: 200 | 201 | 204 | 422
  /** A value to send as JSON. */
  body?: unknown
  /** JSON text to send instead of `body`, or its bytes. */
  json?: string | Buffer
  /** An HTML page to send instead of either. */
  html?: string
  headers?: Record<string, string>
}
