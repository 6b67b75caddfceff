/** Every fixed limit of the API in one place. Limits that an operator may change are config keys instead. */

const kib = 1024
const mib = 1024 * kib

/**
 * Bytes of a request body, by its content (contract 1.1); an item's is its largest data plus `itemFields`. `short` applies to bodies that
 * anyone may send: on public routes, for registration and sign-in of identities, and on routes that read no body.
 */
export const bodyBytes = {
  itemFields: 64 * kib,
  syncDocument: 8 * mib,
  batch: 8 * mib,
  short: 16 * kib,
  preferences: 64 * kib,
  other: mib,
} as const
/** Parsing a larger body or changing a larger item blocks other requests for milliseconds, and takes much memory. */
export const longStepBytes = 64 * kib
/** Larger sync documents and batches are handled one at a time, because they take many times their size in memory. */
export const largeBodyBytes = 256 * kib

/** Maximum reported errors of one request. More would not help the caller, and each costs memory and time. */
export const maxErrors = 1_000

/** Characters (contract 2; specification, Limits). */
export const lengths = {
  pathName: 200,
  name: 200,
  description: 10_000,
  pointer: 1024,
  tag: 50,
  scope: 50,
  id: 36,
  /** Of a `TextDigest`. */
  digest: 32,
  group: 100,
  identityName: 100,
  email: 254,
  url: 2048,
  headerName: 64,
  headerValue: 2_000,
  disabledReason: 50,
  /** Of an address block: the longest IPv6 address and its prefix. */
  cidr: 49,
  aliasValue: 1024,
  version: 50,
  filterKey: 1024,
  orderKey: 256,
} as const

export const maxTags = 20
export const maxJsonDepth = 200

/** Operations of one patch of an item's data. */
export const maxPatchOperations = 1_000

/** Operations of one batch of items (contract 2.2). */
export const maxBatchOperations = 1_000

/** The maximum length of an idempotency key, and how long it is remembered (contract 2.2). */
export const idempotencyKey = { maxLength: 255, keptMs: 86_400_000 } as const

/** Rules of one token, and ids in one selector of a rule. */
export const maxPermissionRules = 500
export const maxSelectorIds = 1_000
/**
 * Bounds of conditions in the rules of one token: rules with conditions, entries of one `changes`, characters of all conditions as JSON,
 * and lists that these rules name together. Each condition is checked on every item of a page.
 */
export const maxConditionalRules = 50
export const maxRuleChanges = 50
export const maxConditionCharacters = 40_000
export const maxConditionLists = 100

/** Maximum distinct elements of an array in an index. */
export const maxElements = 100

/** Maximum indexes of one list. Each may add a row to every write of an item. */
export const maxIndexesPerList = 50

/**
 * Maximum items of a list that a dry run of a new index (contract 2.3) or a sync with a new schema (contract 2.4) examines, and bytes of
 * their data after which it stops.
 */
export const storedItemsLimits = { maxItems: 10_000, maxBytes: 64 * mib } as const

/** The same for a token that does not see all data: the bytes count only what it sees, so hidden data reveals nothing through the bound. */
export const seenItemsLimits = { ...storedItemsLimits, maxItems: 1_000 } as const

/** Maximum values, duplicates, and items per duplicate in the answer to a dry run of a new index. */
export const indexTrialLimits = { maxShown: 10 } as const

/** Maximum items that do not match a new schema, and errors per item, in the report of a sync. */
export const mismatchLimits = { maxItems: 10, maxErrors: 3 } as const

/** How long one sync may examine stored items, in all lists together. */
export const schemaTrialMs = 5_000

/** Lists that one sync document may declare. */
export const maxSyncLists = 2_000

/**
 * Bounds on what one sync or move reads to plan: lists and indexes together, and bytes of schemas. Up to `unmeasured` named lists cannot
 * exceed them, so they are not measured.
 */
export const syncStateLimits = { maxEntries: 250_000, maxSchemaBytes: 256 * mib, unmeasured: 1_000 } as const

/** Lists that one move or export may name. */
export const maxNamedLists = 1_000

/** Lists and event types that one webhook may name. */
export const maxWebhookLists = 1_000
export const maxWebhookEvents = 100

/** Filters on index values that one webhook may have, and the characters of each. */
export const maxWebhookFilters = 50
export const maxWebhookFilterLength = 1_000

/** Fixed headers that one webhook's requests may have. */
export const maxWebhookHeaders = 10

/** The highest configurable limit of requests per second of one webhook. Limits are enforced in whole milliseconds. */
export const maxWebhookRate = 1_000

/** Networks that one API token may name. */
export const maxTokenNetworks = 100

/** The highest limit on the requests a minute that one API token can have. */
export const maxTokenRate = 1_000_000

/** Pages (contract 1.3). `maxReach`: the last row that a numbered page can reach. */
export const page = { defaultLimit: 20, maxLimit: 100, maxBytes: 8 * 1024 * 1024, maxReach: 100_000 } as const
/** Row texts up to this size are read with every page, because even a full page of them fits. */
export const shortTextBytes = Math.floor(page.maxBytes / page.maxLimit)

/** Larger item data is omitted from webhook payloads (specification, Limits). */
export const maxPayloadDataBytes = 262_144

/** Bytes of a receiver's response that are kept (contract 2.7). */
export const keptResponseBytes = 4 * kib

/** The due time of a queue row with nothing to send: later than any real time, and still an exact number. */
export const DUE_NEVER = 9_000_000_000_000_000

/** The due time of a ping and of its queue: before everything else, also on a disabled webhook. */
export const DUE_FIRST = 0

/** Pings that may wait in one webhook's queue. */
export const maxWaitingPings = 10

/** How long `webhook-signature` also contains a signature with a replaced secret (contract 2.7). */
export const previousSecretMs = 86_400_000

/** Versions of an item that stay readable, regardless of age (contract 2.2). */
export const keptItemVersions = 100

/** Rows are counted up to this number: for the total of a filtered page, and for the items that a page may sort (contract 1.3). */
export const maxCounted = 10_000

/**
 * Maximum rows and array elements that one call examines without an index (contract 1.3). A cursor page ends there, and the next page
 * continues from there.
 */
export const maxExamined = 20_000

/** Characters of a password (contract 2.5); 256 of them never exceed the 1,024 bytes it may have in UTF-8. */
export const password = { minLength: 8, maxLength: 256 } as const

/**
 * The highest cost of a password hash, configured or stored (so that a hash planted in the database cannot take gigabytes), and the lowest
 * that may be configured (contract 4).
 */
export const passwordCost = { minMemoryMib: 19, maxMemoryMib: 256, minOperations: 2, maxOperations: 8 } as const

/** Failed logins (contract 2.5), per name and per client address. */
export const loginLimits = {
  freeFailures: 5,
  firstWaitMs: 1_000,
  longestWaitMs: 15 * 60_000,
  forgetMs: 12 * 3_600_000,
  perAddressAndMinute: 100,
} as const

/** The longest lifetime of a session that a group may set: ten years. */
export const maxSessionSeconds = 315_360_000

/** How long a dashboard user stays signed in (contract 2.6). */
export const userSessionMs = 7 * 86_400_000

/** How often an API token's last use is recorded: recording every use would be a write per request. */
export const tokenLastUsedIntervalMs = 60_000

/** How long the one-time tokens of identities may be used (contract 2.5). */
export const identityTokenMs = { reset: 30 * 60_000, verify: 24 * 3_600_000 } as const

/** How long a set-up link may be used (contract 2.6). */
export const setupTokenMs = 30 * 60_000

/** The maximum difference between the time of a signature and the receiver's clock, and how long a signature created on request is valid. */
export const signatureToleranceSeconds = 300

/** Limits of signatures on request: deliveries per call, and calls of each kind per minute and user. */
export const signingLimits = { maxDeliveries: 50, perMinute: 30, maxHeaders: 100 } as const

/**
 * A flow document: its bytes and nodes, and what its nodes may have (characters of texts, entries of lists). Expressions and helpers
 * have their own bounds next to their parser.
 */
export const flowDocumentLimits = {
  maxBytes: 256 * kib,
  maxNodes: 200,
  maxEdges: 2_000,
  maxCases: 50,
  maxConditions: 20,
  maxHeaders: 20,
  maxWebhooks: 20,
  maxMessageLength: 1_000,
  maxPathLength: 200,
  maxDiagnostics: 100,
} as const

/** The number of versions of a flow's document that are kept, including the current one. */
export const keptFlowVersions = 20

/**
 * One run of a flow. `steps` are those of its expressions; after `stepsAtOnce` of them, or as much work with items, the run yields. Each
 * node is visited at most once, because documents have no cycles. `bytesRead`: JSON that nodes read from items, as they see them, or build
 * from values. `bytesWritten`: data that nodes write to items, counted each time, and emitted payloads.
 */
export const flowRunLimits = {
  reads: 100,
  writes: 100,
  emits: 20,
  steps: 100_000,
  stepsAtOnce: 5_000,
  bytesRead: 32 * mib,
  bytesWritten: 8 * mib,
} as const

/**
 * Limits of long runs, per gateway. A run counts as long after `work` steps (some 10 ms of a processor), or after reading items of more
 * than `largeBodyBytes`. At most `atOnce` run at the same time, and `perAccount` of one account, whose runs without a caller count
 * as those of another account. Up to `waiting.all` runs wait, and `waiting.account` of one account, each at most `waitMs`; others are
 * rejected.
 */
export const longFlowRuns = {
  work: 20_000,
  atOnce: 4,
  perAccount: 2,
  waiting: { all: 200, account: 16 },
  waitMs: 10_000,
  retryAfterSeconds: 5,
} as const

/** Characters of flow documents whose parsed form a gateway caches, in total and per account. The parsed form takes about ten times the memory. */
export const readFlowLimits = { max: 12 * mib, ofAccount: 6 * mib } as const

/** Maximum uses that are looked up for one request, each with its flow. */
export const mostDependents = 10_000

/** Calls of public flows per minute and client address, in each gateway, and the number of addresses that a gateway remembers. */
export const publicFlowCalls = { perMinute: 60, maxAddresses: 100_000 } as const

/**
 * The number of recorded runs kept per flow; older runs are deleted, regardless of age. Runs without a known caller have a separate number,
 * so that calls of a public flow do not displace others.
 */
export const keptFlowRuns = { known: 10_000, public: 1_000 } as const

/** Limits of the tests of a flow. `work`: steps of expressions and examined items, in all tests together. */
export const flowTestLimits = { maxTests: 100, work: 2_000_000 } as const
