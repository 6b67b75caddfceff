/** What `listd-client` exports. */

export type { FlowDefinitions } from './calls/flow-definitions.ts'
export type { FlowAnswer, FlowCallOptions, Flows } from './calls/flows.ts'
export type * from './calls/identities.ts'
export type * from './calls/items.ts'
export type { Lists as ListsResource } from './calls/lists.ts'
export type * from './calls/sync.ts'
export { type Client, type ClientOptions, createClient } from './client.ts'
export type { ReadItem } from './condition.ts'
export { type ErrorDetails, type ErrorName, type FieldError, ListdError, type ServiceErrorName } from './error.ts'
export {
  after,
  before,
  contains,
  eq,
  type Filter,
  gt,
  gte,
  inList,
  lt,
  lte,
  not,
  type Operator,
  on,
  starts,
} from './filters.ts'
export { parse, RawJson, RawNumber, stringify } from './json.ts'
export type * from './pages.ts'
export { type Answer, type CallOptions, type DeleteOptions, route, type Send } from './transport.ts'
export type * from './types/flow-resources.ts'
export type * from './types/resources.ts'
export type * from './types/rules.ts'
export type * from './types/sync-resources.ts'
