/**
 * Every error a client can see, once: its name, stable number, HTTP status and default sentence.
 * Source: contract 1.5. Names and numbers are wire format: never renumber, never reuse.
 */
const errorTable = {
  VALIDATION_FAILED: { code: 10001, status: 400, message: 'The request does not match the expected format.' },
  MALFORMED_JSON: { code: 10002, status: 400, message: 'The body is not well-formed JSON.' },
  ROUTE_NOT_FOUND: { code: 10003, status: 404, message: 'There is no such route.' },
  METHOD_NOT_ALLOWED: { code: 10003, status: 405, message: 'This route does not support this method.' },
  REQUESTED_ENTITY_NOT_FOUND: { code: 10004, status: 404, message: 'The requested entity does not exist.' },
  PAYLOAD_TOO_LARGE: { code: 10005, status: 413, message: 'The body is larger than this route accepts.' },
  UNSUPPORTED_MEDIA_TYPE: { code: 10006, status: 415, message: 'Send the body as application/json.' },
  RATE_LIMIT_EXCEEDED: { code: 10007, status: 429, message: 'Too many requests; try again later.' },
  MAX_ITEMS_EXCEEDED: { code: 10009, status: 403, message: 'The list has as many items as the price plan allows.' },
  SERVICE_UNAVAILABLE: { code: 10011, status: 503, message: 'The service cannot answer right now; try again.' },
  INTERNAL_ERROR: { code: 10012, status: 500, message: 'Something went wrong on our side.' },
  MAX_LISTS_EXCEEDED: { code: 10021, status: 403, message: 'The account has as many lists as its price plan allows.' },
  MAX_INDEXES_EXCEEDED: { code: 10022, status: 403, message: 'The list has as many indexes as it may have.' },
  MAX_TOKENS_EXCEEDED: {
    code: 10023,
    status: 403,
    message: 'The account has as many API tokens as its price plan allows.',
  },
  MAX_IDENTITIES_EXCEEDED: {
    code: 10024,
    status: 403,
    message: 'The account has as many identities as its price plan allows.',
  },
  STORAGE_LIMIT_EXCEEDED: {
    code: 10025,
    status: 403,
    message: 'The data of the account would be larger than its price plan allows.',
  },
  REQUEST_TIMEOUT: { code: 10013, status: 408, message: 'The request did not arrive in time.' },
  IDEMPOTENCY_KEY_REUSED: {
    code: 10014,
    status: 409,
    message: 'This idempotency key was sent with another request before.',
  },
  REALTIME_CONNECTION_LIMIT_EXCEEDED: {
    code: 10015,
    status: 429,
    message: 'The account has as many live streams open as its price plan allows.',
  },
  QUESTION_TOO_BROAD: {
    code: 10026,
    status: 400,
    message: 'Too many rows would have to be examined for a page by number; page with after, or narrow the filters.',
  },
  PRECONDITION_FAILED: { code: 10030, status: 412, message: 'The answer has none of the tags named in if-match.' },
  ADDRESS_TOO_LONG: { code: 10031, status: 414, message: 'The address of the request is too long.' },
  EXPECTATION_FAILED: { code: 10032, status: 417, message: 'Only the expectation 100-continue is supported.' },
  HEADERS_TOO_LARGE: { code: 10033, status: 431, message: 'The headers of the request are too large.' },
  NOT_IMPLEMENTED: {
    code: 10034,
    status: 501,
    message: 'The service does not support this method or transfer-encoding.',
  },
  HTTP_VERSION_NOT_SUPPORTED: { code: 10035, status: 505, message: 'Send the request in HTTP/1.1 or HTTP/1.0.' },
  USER_MODE_REQUIRED: {
    code: 11001,
    status: 403,
    message: 'This needs a signed-in user; an API token is not accepted.',
  },
  USER_NOT_AUTHENTICATED: { code: 11002, status: 401, message: 'The credentials are missing or not valid.' },
  TOKEN_NOT_AUTHORIZED: { code: 11003, status: 403, message: 'The token does not allow this.' },
  CROSS_SITE_REQUEST: { code: 11004, status: 403, message: 'A cookie is accepted from pages of this origin only.' },
  LIST_PATH_NAME_TAKEN: { code: 12001, status: 409, message: 'Another list has this path name.' },
  LIST_READONLY: { code: 12002, status: 409, message: 'The list is read-only.' },
  LIST_PROTECTED: { code: 12003, status: 409, message: 'The list is protected and has items.' },
  LIST_NOT_REALTIME: { code: 12004, status: 409, message: 'The changes of the list are not offered as a live stream.' },
  ITEM_SCHEMA_INVALID: { code: 12101, status: 400, message: "The item's data does not match the list's schema." },
  ITEM_READONLY: { code: 12102, status: 409, message: 'The item is read-only.' },
  ITEM_LOCKED: { code: 12103, status: 409, message: 'The item is locked.' },
  ITEM_ALIAS_TAKEN: { code: 12104, status: 409, message: 'Another item of the list has this alias.' },
  ITEM_UNABLE_TO_RESTORE: { code: 12105, status: 409, message: 'The item is already in the state after this event.' },
  ITEM_PRECONDITION_FAILED: { code: 12106, status: 412, message: 'The item is not at the revision named in if-match.' },
  ITEM_VERSION_NOT_RETAINED: { code: 12107, status: 404, message: 'The item has no such version, or it is too old.' },
  POINTER_NOT_FOUND: { code: 12108, status: 404, message: "There is nothing at this pointer in the item's data." },
  ITEM_PATCH_FAILED: { code: 12109, status: 409, message: 'The patch cannot be applied; nothing was changed.' },
  INDEX_PATH_NAME_TAKEN: { code: 16001, status: 409, message: 'Another index of the list has this path name.' },
  INDEX_ALIAS_EXISTS: { code: 16002, status: 409, message: 'The list has an alias index already.' },
  INDEX_NOT_USABLE: { code: 16003, status: 400, message: 'The index does not allow this.' },
  INDEX_BUILDING: { code: 16006, status: 409, message: 'The index is being built; try again later.' },
  INDEX_BUILD_FAILED: { code: 16007, status: 409, message: 'The build of the index has failed; its events say why.' },
  INDEX_BUILD_NOT_FAILED: { code: 16008, status: 409, message: 'The build of the index has not failed.' },
  FLOW_NAME_TAKEN: { code: 23001, status: 409, message: 'Another flow of the account has this name.' },
  FLOW_INVALID: { code: 23002, status: 400, message: 'The flow document or its tests have errors; nothing was saved.' },
  FLOW_TESTS_FAILED: { code: 23003, status: 400, message: 'Tests of the flow fail; nothing was saved.' },
  FLOW_PATH_TAKEN: { code: 23004, status: 409, message: 'Another flow of the account has this method and path.' },
  MAX_FLOWS_EXCEEDED: { code: 23007, status: 403, message: 'The account has as many flows as its price plan allows.' },
  FLOW_RUN_NOT_REPEATABLE: {
    code: 23009,
    status: 409,
    message: 'The input of the run was too long to keep, so it cannot be repeated; run the flow with that input.',
  },
  WEBHOOK_URL_REFUSED: { code: 24001, status: 422, message: 'The webhook URL is not accepted.' },
  WEBHOOK_LIMIT_REACHED: { code: 24002, status: 403, message: 'The price plan allows no more webhooks.' },
  DELIVERY_PENDING: { code: 24003, status: 409, message: 'The delivery still waits to be sent.' },
  WEBHOOK_BACKLOG_FULL: { code: 24004, status: 409, message: 'The webhook has too many waiting deliveries.' },
  WEBHOOK_BUSY: { code: 24005, status: 409, message: 'The webhook is busy; the ping was not sent in time.' },
  IDENTITY_UNABLE_TO_CREATE: {
    code: 20003,
    status: 409,
    message: 'Another identity of the group has this name or email.',
  },
  IDENTITY_NOT_AUTHENTICATED: {
    code: 20008,
    status: 401,
    message: 'The name, email, password, group or identity token is not correct.',
  },
  IDENTITY_TOO_MANY_ATTEMPTS: { code: 20009, status: 429, message: 'Too many failed logins; try again later.' },
  IDENTITY_TOKEN_INVALID: { code: 20011, status: 400, message: 'The token is unknown, used or expired.' },
  IDENTITY_EMAIL_REQUIRED: { code: 20012, status: 400, message: 'The group requires an email address.' },
  IDENTITY_EMAIL_NOT_VERIFIED: { code: 20013, status: 403, message: 'The email address has not been verified yet.' },
  FLOW_CONFLICT: {
    code: 23005,
    status: 409,
    message: 'The items that the flow reads kept changing; nothing was written.',
  },
  FLOW_FAILED: { code: 23008, status: 422, message: 'The flow failed; nothing was written.' },
  SCHEMA_SYNC_PLAN_HAS_ERRORS: { code: 21002, status: 422, message: 'The plan has errors; nothing was changed.' },
  SCHEMA_SYNC_REBUILD_NOT_ALLOWED: { code: 21003, status: 422, message: 'The plan would rebuild an index.' },
  SCHEMA_SYNC_DESTRUCTIVE_NOT_ALLOWED: {
    code: 21004,
    status: 422,
    message: 'The plan would destroy or reveal data; nothing was changed.',
  },
  SCHEMA_SYNC_MOVE_HAS_ERRORS: { code: 21005, status: 422, message: 'The move has errors; nothing was changed.' },
  SCHEMA_SYNC_SCOPE_CONFLICT: { code: 21006, status: 422, message: 'Another scope manages this list.' },
  SCHEMA_SYNC_PLAN_CHANGED: {
    code: 21007,
    status: 409,
    message: 'The plan no longer matches planHash; nothing was changed.',
  },
} as const satisfies Record<string, { code: number; status: number; message: string }>

export type ErrorName = keyof typeof errorTable

/** Whether a text, for example from another process, is the name of an error this code knows. */
export function isErrorName(text: string): text is ErrorName {
  return Object.hasOwn(errorTable, text)
}

export type AppErrorOptions = {
  message?: string
  /** Overrides the status, if it depends on what happened. */
  status?: number
  /** Facts for the client, JSON-serialisable; never a secret, a payload, SQL or an internal address. */
  details?: Record<string, unknown>
  /** Sent as the `retry-after` header, in whole seconds. */
  retryAfterSeconds?: number
  /** The reason, only for the log. */
  reason?: string
}

/** The one error type that reaches a client: thrown where the rule is broken, rendered once by the gateway. */
export class AppError extends Error {
  override readonly name: ErrorName
  readonly code: number
  readonly status: number
  readonly details: Record<string, unknown> | undefined
  /** Sent with the response; names in lower case. */
  headers: Readonly<Record<string, string>> | undefined
  readonly retryAfterSeconds: number | undefined
  /** For the log. */
  reason: string | undefined
  /** The run of a flow that ended with it, for the log. */
  run: RunIds | undefined

  constructor(name: ErrorName, options: AppErrorOptions = {}) {
    super(options.message ?? errorTable[name].message)
    this.name = name
    this.code = errorTable[name].code
    this.status = options.status ?? errorTable[name].status
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
    this.reason = options.reason
  }
}

/** The ids of a flow and its run. */
export type RunIds = { flowId: string; runId: string }

/** An error in a body, query or document: where (dotted path, array positions as numbers) and what. */
export type FieldError = { path: string; message: string }

/** The dotted path of an error. A long key of the client is cut, because it occurs in the path of every error below it. */
export function errorPath(parent: string, ...keys: readonly string[]): string {
  const shown = keys.map((key) => (key.length > maxKeyLength ? `${key.slice(0, maxKeyLength).toWellFormed()}…` : key))
  return (parent === '' ? shown : [parent, ...shown]).join('.')
}

const maxKeyLength = 300

/**
 * The error if something is not possible now, but may be a moment later.
 * @param reason for the log: the client sees only that it may try again
 */
export function unavailable(reason: string, retryAfterSeconds = 1): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds, reason })
}

/** 400 with every error at once (contract 1.5). `msg` repeats `message`: existing clients read it. */
export function validationFailed(errors: readonly FieldError[]): AppError {
  return new AppError('VALIDATION_FAILED', {
    details: { errors: errors.map(({ path, message }) => ({ path, message, msg: message })) },
  })
}
