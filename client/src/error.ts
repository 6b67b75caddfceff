/** The names of the service's errors, by which `switch` distinguishes them (docs/api.md, Errors). */
export type ServiceErrorName =
  | 'VALIDATION_FAILED'
  | 'MALFORMED_JSON'
  | 'ROUTE_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'REQUESTED_ENTITY_NOT_FOUND'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMIT_EXCEEDED'
  | 'MAX_ITEMS_EXCEEDED'
  | 'MAX_LISTS_EXCEEDED'
  | 'MAX_INDEXES_EXCEEDED'
  | 'MAX_TOKENS_EXCEEDED'
  | 'MAX_IDENTITIES_EXCEEDED'
  | 'STORAGE_LIMIT_EXCEEDED'
  | 'SERVICE_UNAVAILABLE'
  | 'INTERNAL_ERROR'
  | 'REQUEST_TIMEOUT'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'PRECONDITION_FAILED'
  | 'ADDRESS_TOO_LONG'
  | 'EXPECTATION_FAILED'
  | 'HEADERS_TOO_LARGE'
  | 'NOT_IMPLEMENTED'
  | 'HTTP_VERSION_NOT_SUPPORTED'
  | 'QUESTION_TOO_BROAD'
  | 'REALTIME_CONNECTION_LIMIT_EXCEEDED'
  | 'USER_MODE_REQUIRED'
  | 'USER_NOT_AUTHENTICATED'
  | 'TOKEN_NOT_AUTHORIZED'
  | 'CROSS_SITE_REQUEST'
  | 'LIST_PATH_NAME_TAKEN'
  | 'LIST_READONLY'
  | 'LIST_PROTECTED'
  | 'LIST_NOT_REALTIME'
  | 'ITEM_SCHEMA_INVALID'
  | 'ITEM_READONLY'
  | 'ITEM_LOCKED'
  | 'ITEM_ALIAS_TAKEN'
  | 'ITEM_UNABLE_TO_RESTORE'
  | 'ITEM_PRECONDITION_FAILED'
  | 'ITEM_VERSION_NOT_RETAINED'
  | 'POINTER_NOT_FOUND'
  | 'ITEM_PATCH_FAILED'
  | 'INDEX_PATH_NAME_TAKEN'
  | 'INDEX_ALIAS_EXISTS'
  | 'INDEX_NOT_USABLE'
  | 'INDEX_BUILDING'
  | 'INDEX_BUILD_FAILED'
  | 'INDEX_BUILD_NOT_FAILED'
  | 'IDENTITY_UNABLE_TO_CREATE'
  | 'IDENTITY_NOT_AUTHENTICATED'
  | 'IDENTITY_TOO_MANY_ATTEMPTS'
  | 'IDENTITY_TOKEN_INVALID'
  | 'IDENTITY_EMAIL_REQUIRED'
  | 'IDENTITY_EMAIL_NOT_VERIFIED'
  | 'FLOW_CONFLICT'
  | 'FLOW_FAILED'
  | 'SCHEMA_SYNC_PLAN_HAS_ERRORS'
  | 'SCHEMA_SYNC_REBUILD_NOT_ALLOWED'
  | 'SCHEMA_SYNC_DESTRUCTIVE_NOT_ALLOWED'
  | 'SCHEMA_SYNC_MOVE_HAS_ERRORS'
  | 'SCHEMA_SYNC_SCOPE_CONFLICT'
  | 'SCHEMA_SYNC_PLAN_CHANGED'
  | 'WEBHOOK_URL_REFUSED'
  | 'FLOW_NAME_TAKEN'
  | 'FLOW_INVALID'
  | 'FLOW_TESTS_FAILED'
  | 'FLOW_PATH_TAKEN'
  | 'MAX_FLOWS_EXCEEDED'
  | 'FLOW_RUN_NOT_REPEATABLE'
  | 'WEBHOOK_LIMIT_REACHED'
  | 'DELIVERY_PENDING'
  | 'WEBHOOK_BACKLOG_FULL'
  | 'WEBHOOK_BUSY'

/** The service's names, and three names of the client with `code` 0: no answer, no answer in time, and an answer that is not from listd. */
export type ErrorName = ServiceErrorName | 'CONNECTION_FAILED' | 'TIMED_OUT' | 'UNEXPECTED_ANSWER'

/** One error in a body, a query, or an item's data (with `pointer`). `msg` repeats `message`. */
export type FieldError = { path: string; pointer?: string; message: string; msg: string }

/** Details of an error; which ones depends on the error. */
export type ErrorDetails = {
  /** All errors, for VALIDATION_FAILED and ITEM_SCHEMA_INVALID. */
  errors?: FieldError[]
  /** The position of the operation in a batch or a patch, from 0. */
  operation?: number
  /** The path name of the index that cannot be used. */
  index?: string
  /** The name of the exceeded limit, and its value. */
  limit?: string
  max?: number
  /** Of WEBHOOK_URL_REFUSED and IDENTITY_TOKEN_INVALID. */
  reason?: string
  [fact: string]: unknown
}

type Fields = {
  name: ErrorName
  message: string
  code?: number
  status?: number
  details?: ErrorDetails | undefined
  requestId?: string | undefined
  retryAfterSeconds?: number | undefined
  runId?: string | undefined
  route?: string | undefined
  body?: unknown
  cause?: unknown
}

/** Thrown by every failed call, except if its own `AbortSignal` ended it: then the signal's reason is thrown. */
export class ListdError extends Error {
  override readonly name: ErrorName
  /** The service's number for the name; 0 for the client's own names. */
  readonly code: number
  /** The HTTP status; 0 without an answer. */
  readonly status: number
  readonly details: ErrorDetails | undefined
  /** The id of the request in the service's log. */
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  /** The run of the flow that failed. */
  readonly runId: string | undefined
  /** The method and the path of the request, without its query, such as `GET /lists/recipes`. */
  readonly route: string | undefined
  /** The whole answer; for a rejected schema sync, the report with its changes. */
  readonly body: unknown

  constructor({ name, message, code = 0, status = 0, cause, ...more }: Fields) {
    super(message, { cause })
    this.name = name
    this.code = code
    this.status = status
    this.details = more.details
    this.requestId = more.requestId
    this.retryAfterSeconds = more.retryAfterSeconds
    this.runId = more.runId
    this.route = more.route
    this.body = more.body
  }
}
