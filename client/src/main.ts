/** What `listd-client` exports. */
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
  starts,
} from './filters.ts'
export type { FlowDefinitions } from './flow-definitions.ts'
export type * from './flow-resources.ts'
export type { FlowAnswer, FlowCallOptions, Flows } from './flows.ts'
export type * from './identities.ts'
export type * from './items.ts'
export { parse, RawJson, RawNumber, stringify } from './json.ts'
export type { Lists as ListsResource } from './lists.ts'
export type * from './pages.ts'
export type * from './resources.ts'
export type * from './sync.ts'
export type * from './sync-resources.ts'
export { type Answer, type CallOptions, type DeleteOptions, route, type Send } from './transport.ts'
