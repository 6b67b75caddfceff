import type Joi from 'joi'
import type { Config } from '#shared/config/load.ts'
import type { FieldError } from '#shared/errors.ts'
import type { Deps } from '../context.ts'
import type { Principal } from './principal.ts'

/** One line of the API's table: what is accepted, from whom, and what answers it. `resources/index.ts` holds them all. */
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** hapi syntax: `/lists/{list}/items`. */
  path: string
  /** `principal`: an API token or a user; `user`: a signed-in user only (an API token is 403 USER_MODE_REQUIRED). */
  access: 'public' | 'principal' | 'user'
  /** Identity headers are not looked at: clients send stale ones along when they sign in (contract 2.5). */
  identity?: 'ignored'
  /** Absent: the route takes no body; `{}` is let pass, properties are errors. */
  body?: BodyRule
  /** Converts text to booleans, dates and numbers; parameters it does not name are dropped. */
  query?: Joi.ObjectSchema
  handle(request: ApiRequest, deps: Deps): Promise<Response>
}

export type BodyRule = {
  /** Bytes of the body; a function of the configuration where operators may change it. */
  maxBytes: number | ((config: Config) => number)
  /** Validates the parsed body without converting anything; unknown properties are errors. */
  schema: Joi.ObjectSchema
  /** Top-level properties whose source text the handler needs too: `request.text`. The shape does not look into them. */
  text?: readonly string[]
  /** What is wrong with those texts; told together with the errors of the shape. */
  textErrors?(text: Record<string, string>, principal: Principal, deps: Deps): Promise<readonly FieldError[]>
  /** An absent body is accepted and handed over as undefined. */
  optional?: boolean
}

/** A request as handlers see it: the principal known, query and body validated. */
export type ApiRequest = {
  /** The request id: in the answer's `x-request-id`, in logs, events and deliveries. */
  id: string
  principal: Principal
  params: Record<string, string>
  query: Record<string, unknown>
  /** Matches the route's shape; undefined when the body is optional and absent. */
  body: unknown
  /** Compact source text of the properties named in `BodyRule.text`, of those that were sent. */
  text: Record<string, string>
  /** Lower-case names. */
  headers: Record<string, string | undefined>
  /** Of the client, not of a trusted proxy in front. */
  clientAddress: string
  /** Whether the client speaks TLS, to us or to a proxy in front. */
  secure: boolean
}

export type Response = {
  status: 200 | 201 | 204 | 422
  /** A value to send as JSON. */
  body?: unknown
  /** Ready JSON text to send instead of `body`. */
  json?: string
  /** A page to send instead of either. */
  html?: string
  headers?: Record<string, string>
}
