import type { JsonSchema } from '#shared/domain/fields/json-schema.ts'
import type { ErrorName } from '#shared/errors.ts'
import type { Response, Route } from './route.ts'

/** A route of the API with all that `openapi.json` says of it. */
export type DescribedRoute<Deps = unknown> = Route<Deps> & RouteDescription

type RouteDescription = {
  /** The name of the call in generated clients, such as `createList`: it never changes. */
  operationId: string
  /** What it does, in one sentence. */
  about: string
  /** What a caller should know beside that, in short sentences. */
  notes?: string
  /**
   * The body of every response that the handler returns, by status; null: it has none. A schema with a title becomes a component
   * of that name.
   */
  response: { readonly [Status in Response['status']]?: JsonSchema | null }
  /** Browsers get an HTML page instead of the JSON of a success. */
  isPage?: true
  /** Errors beyond those that follow from permission, parameters, query and body. */
  errors?: readonly ErrorName[]
  /** The credentials of a session that the handler needs or reads itself, where `permission` does not say so. */
  session?: 'user' | 'identity'
  /** Headers beside credentials and those of every route: what each of a request is for, and each of a success. */
  headers?: { request?: Readonly<Record<string, string>>; response?: Readonly<Record<string, ResponseHeader>> }
}

/** A header of a route's successes. `pattern`: what its value matches; `optional`: some of them do not have it. */
export type ResponseHeader = { about: string; pattern?: string; optional?: true }
