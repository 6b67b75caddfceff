import type { FieldError } from '#shared/errors.ts'
import type { Principal } from './principal.ts'

/** A request as handlers receive it: with its principal, and validated query and body. Its route declares the types. */
export type ApiRequest<
  Caller = Principal,
  Parameters = Readonly<Record<string, string>>,
  Query = Record<string, unknown>,
  Body = unknown,
> = {
  /** The request id: in the response's `x-request-id`, in logs, events and deliveries. */
  id: string
  principal: Caller
  /** The parameters of the path. */
  params: Parameters
  query: Query
  /** Empty if the route does not have such parameters. */
  otherParameters: OtherParameters
  /** Undefined if the route accepts no body, or if the body is optional and absent. */
  body: Body
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

/** The parameters of a path such as `/lists/{list}/items`. The rest of a path, as of `/data/{pointer*}`, may be absent. */
export type ParametersOf<Path extends string> = Path extends unknown
  ? { readonly [Name in NamesIn<Path> as Name extends `${string}*` ? never : Name]: string } & {
      readonly [Name in NamesIn<Path> as Name extends `${infer Rest}*` ? Rest : never]?: string
    }
  : never

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** Query parameters that the route does not declare, but that the list may define. */
export type OtherParameters = {
  /** As they were sent: a text, or an array of texts for a repeated parameter. */
  values: Readonly<Record<string, unknown>>
  /** The names of the parameters that the route has. */
  routeParameters: readonly string[]
  /** The errors of these parameters: the handler sends them together with its own. */
  errors: readonly FieldError[]
}
