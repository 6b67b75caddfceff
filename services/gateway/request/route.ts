import type Joi from 'joi'
import type { Config } from '#shared/config/load.ts'
import type { JsonSchema } from '#shared/domain/fields/json-schema.ts'
import type { ErrorName, FieldError } from '#shared/errors.ts'
import type { ApiRequest, ParametersOf } from './api-request.ts'
import type { IdentityRule, Principal, PrincipalOf, RoutePermission } from './principal.ts'
import type { Response, Status, StreamResponse } from './response.ts'

/**
 * One row of the API's table: the accepted input and principals, and the handler with the dependencies that it uses. All are
 * in `resources/index.ts`; `route` creates them.
 */
export type Route<Deps = unknown> = Declaration<Deps> & {
  handle(request: ApiRequest, deps: Deps): Promise<Response | StreamResponse>
}

/**
 * Creates a route whose handler receives what the route declares: the principal that `permission` admits, the parameters in `path`, and
 * query and body with the types of their schemas. A schema without a type gives `unknown`.
 */
export function route<
  Deps,
  const Path extends string,
  const Permitted extends RoutePermission,
  const Identity extends IdentityRule = 'verified',
  Query = Record<never, never>,
  const Body extends BodyRule<Deps, PrincipalOf<Permitted, Identity>> | undefined = undefined,
  Streams extends true | undefined = undefined,
>(
  declared: Declaration<Deps> & {
    path: Path
    permission: Permitted
    identity?: Identity
    query?: Joi.ObjectSchema<Query>
    body?: Body
    streams?: Streams
    handle(
      request: ApiRequest<PrincipalOf<Permitted, Identity>, ParametersOf<Path>, Known<Query>, BodyOf<Body>>,
      deps: Deps,
    ): Promise<Streams extends true ? StreamResponse : Response>
  },
): Route<Deps> {
  // The pipeline calls the handler only with requests that passed the declared rules.
  return declared as unknown as Route<Deps>
}

/** What a route declares, for the pipeline and for readers of the API's description. */
type Declaration<Deps> = Description & Accepted<Deps>

type Description = {
  /** The name of the call in generated clients, such as `createList`: it never changes. */
  operationId: string
  /** What it does, in one sentence. */
  about: string
  /** What else a caller should know, in short sentences. */
  notes?: string
  /**
   * The body of every response that the handler returns, by status; null: it has none. A schema with a title becomes a component
   * of that name.
   */
  response: { readonly [Answered in Status]?: JsonSchema | null }
  /** The handler may also answer with any other status and any JSON; this sentence describes it. Errors have the same statuses. */
  otherAnswers?: string
  /** Browsers get an HTML page instead of the JSON of a success. */
  isPage?: true
  /** Errors beyond those that follow from permission, parameters, query and body. */
  errors?: readonly ErrorName[]
  /** The session credentials that the handler needs or reads itself, if `permission` does not say so. */
  session?: 'user' | 'identity'
  /** The read always has an etag, of its body. Other reads have one only if the request has a condition, or if the handler returns one. */
  etag?: true
  /** The use of each header in a request and in a success, without credentials, conditions of reads, and the headers of every route. */
  headers?: { request?: Readonly<Record<string, string>>; response?: Readonly<Record<string, ResponseHeader>> }
}

/** A header of a route's successes. `pattern`: what its value matches; `optional`: some of them do not have it. */
export type ResponseHeader = { about: string; pattern?: string; optional?: true }

type Accepted<Deps> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** hapi syntax: `/lists/{list}/items`. */
  path: string
  permission: RoutePermission
  identity?: IdentityRule
  /** The session cookie is ignored, because this service does not control the answer. */
  cookies?: 'ignored'
  /** Absent: the route takes no body; `{}` is accepted, properties are errors. */
  body?: BodyRule<Deps>
  /**
   * Requests that take much memory are handled one at a time, accounts in turn: `always`, or those with a `large` body,
   * which is not even parsed before.
   */
  alone?: 'always' | 'large'
  /** It costs more than a document, so it counts as a request in flight although anyone may read it. */
  costly?: true
  /** The handler answers with a stream, which is counted with other streams and not as a request in flight. */
  streams?: true
  /** Converts text to booleans, dates and numbers; other parameters are errors. */
  query?: Joi.ObjectSchema
  /**
   * Parameters whose names depend on the request's list: the handler validates them. The API's description has them as one object
   * of texts.
   */
  otherParameters?: { name: string; description: string; example: Readonly<Record<string, string>> }
}

export type BodyRule<Deps = unknown, Caller = Principal> = ObjectBodyRule<Deps, unknown, Caller> | JsonBodyRule

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
  /** The allowed values, for the API's description. */
  anyJson: JsonSchema
  /** Content types that are accepted in addition to `application/json`. */
  types?: readonly string[]
  /** An absent body is accepted, and the handler receives undefined. */
  optional?: true
}

export type ObjectBodyRule<Deps = unknown, Body = unknown, Caller = Principal> = BodySize & {
  /** Validates the parsed body without converting anything; unknown properties are errors. */
  schema: Joi.ObjectSchema<Body>
  /** Top-level properties whose source text the handler needs too: `request.text`. The schema does not validate them. */
  text?: readonly string[]
  /** The errors of those texts; sent together with the errors of the body. */
  textErrors?(text: Record<string, string>, principal: Caller, deps: Deps): Promise<readonly FieldError[]>
  /** An absent body is accepted, and the handler receives undefined. */
  optional?: boolean
}

/** The body that a handler receives: any JSON value is `unknown`, and also passed as text. */
type BodyOf<Rule> = Rule extends { schema: Joi.ObjectSchema<infer Body> }
  ? Known<Body> | (Rule extends { optional: true } ? undefined : never)
  : Rule extends JsonBodyRule
    ? unknown
    : undefined

/** joi's type of a schema without a declared type is `any`. */
type Known<T> = 0 extends 1 & T ? unknown : T
