/** Every fixed number of the API in one place; what an operator may change is a config key instead. */

const kib = 1024
const mib = 1024 * kib

/**
 * Bytes of a request body, by its content (contract 1.1); an item's is its largest data plus `itemFields`. `short` are those that
 * anybody may send: of public routes, of what identities register and sign in with, and where no body is read.
 */
export const bodyBytes = {
  itemFields: 64 * kib,
  syncDocument: 8 * mib,
  batch: 8 * mib,
  short: 16 * kib,
  preferences: 64 * kib,
  other: mib,
} as const
/** Parsing a larger body or changing a larger item takes milliseconds in which no other request is served, and much memory. */
export const longStepBytes = 64 * kib
/** Larger sync documents and batches are handled one at a time: they take many times their bytes of memory. */
export const largeBodyBytes = 256 * kib

/** Errors of one request that are reported: more are of no use, and each costs memory and time. */
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

/** An idempotency key: its longest text, and how long a request counts as sent with it (contract 2.2). */
export const idempotencyKey = { maxLength: 255, keptMs: 86_400_000 } as const

/** Rules of one token, and ids in one selector of a rule. */
export const maxPermissionRules = 500
export const maxSelectorIds = 1_000
/**
 * Rules of one token that have conditions, entries of one `changes`, the characters of all conditions of a token, as JSON, and the lists
 * that rules with conditions name together: each condition is checked on every item of a page.
 */
export const maxConditionalRules = 50
export const maxRuleChanges = 50
export const maxConditionCharacters = 40_000
export const maxConditionLists = 100

/** Indexes of one list: each may add a row to every write of an item. */
/** Different elements of an array that an index has entries of. */
export const maxElements = 100

export const maxIndexesPerList = 50

/**
 * Items of a list that a dry run of a new index looks at (contract 2.3), or a sync with a new schema (contract 2.4), and bytes
 * of their data after which it looks at no more.
 */
export const storedItemsLimits = { maxItems: 10_000, maxBytes: 64 * mib } as const

/** The same where the bytes are of what a token sees of items that hold more: hidden data counts toward no bound. */
export const seenItemsLimits = { ...storedItemsLimits, maxItems: 1_000 } as const

/** Values, duplicates and items of each that a dry run of a new index shows. */
export const indexTrialLimits = { maxShown: 10 } as const

/** Items that do not match a new schema, and errors of each, that the report of a sync shows. */
export const mismatchLimits = { maxItems: 10, maxErrors: 3 } as const

/** How long one sync looks at stored items, in all lists together. */
export const schemaTrialMs = 5_000

/** Lists that one sync document may declare. */
export const maxSyncLists = 2_000

/**
 * What the lists may hold that one sync or move reads to plan: lists and indexes together, and bytes of their schemas. This many
 * named lists cannot hold more than that, so they are not measured.
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

/** The highest bound on the requests a second that one webhook can have: a bound is held in whole milliseconds. */
export const maxWebhookRate = 1_000

/** Networks that one API token may name. */
export const maxTokenNetworks = 100

/** The highest limit on the requests a minute that one API token can have. */
export const maxTokenRate = 1_000_000

/** Pages (contract 1.3). `maxReach`: the furthest row that a page by number ends with. */
export const page = { defaultLimit: 20, maxLimit: 100, maxBytes: 8 * 1024 * 1024, maxReach: 100_000 } as const
/** Row texts up to this size are read with every page: the longest page of such rows fits. */
export const shortTextBytes = Math.floor(page.maxBytes / page.maxLimit)

/** Item data of more bytes than this stays out of a webhook payload (specification, Limits). */
export const maxPayloadDataBytes = 262_144

/** Bytes of a receiver's response that are kept (contract 2.7). */
export const keptResponseBytes = 4 * kib

/** The queue row's due time when nothing is to be sent: later than any real time, and still an exact number. */
export const DUE_NEVER = 9_000_000_000_000_000

/** The due time of a ping and of the queue that has one: before everything else, also on a disabled webhook. */
export const DUE_FIRST = 0

/** Pings that may wait in one webhook's queue. */
export const maxWaitingPings = 10

/** How long `webhook-signature` also carries the signature of a secret that was replaced (contract 2.7). */
export const previousSecretMs = 86_400_000

/** Versions of an item that stay readable, whatever their age (contract 2.2). */
export const keptItemVersions = 100

/** Rows are counted up to this: the total of a filtered page, and the items that a page may sort (contract 1.3). */
export const maxCounted = 10_000

/**
 * Rows, and elements of arrays, that one call examines where no index serves it (contract 1.3): a page by cursor ends there, and
 * continues from there.
 */
export const maxExamined = 20_000

/** Characters of a password (contract 2.5); 256 of them never exceed the 1,024 bytes it may have in UTF-8. */
export const password = { minLength: 8, maxLength: 256 } as const

/**
 * The highest cost of a password hash, configured or stored: a hash planted in the database must not take gigabytes; and the
 * lowest that may be configured (contract 4).
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

/** How far the time of a signature may be from a receiver's, either way, and how long one that is created on request is valid. */
export const signatureToleranceSeconds = 300

/** Signatures on request: deliveries of one call, and calls a minute of each kind by one user. */
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

/** The versions of a flow's document that are kept, the present one among them. */
export const keptFlowVersions = 20

/**
 * One run of a flow. `steps` are those of its expressions; after `stepsAtOnce` of them, or as much work with items, others get their
 * turn. Each node is visited once at most, because a document has no cycle. `bytesRead`: of JSON that nodes read of items, as they see them,
 * and build from values. `bytesWritten`: of the data that nodes write to items, each time, and of what they emit.
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
 * Runs that take long, in each gateway. A run counts as long once it has done `work`, in steps, some 10 ms of a processor; or has
 * read items of more bytes than `largeBodyBytes`. `atOnce` of them run at the same time, and of one account `perAccount`; those without a
 * caller count as of an account of their own. Of one account `waiting` wait for their turn, at most `waitMs`; others are rejected.
 */
export const longFlowRuns = {
  work: 20_000,
  atOnce: 4,
  perAccount: 2,
  waiting: { all: 200, account: 16 },
  waitMs: 10_000,
  retryAfterSeconds: 5,
} as const

/** Characters of documents of flows that a gateway keeps read, in all and of one account; a read one takes some ten times as much. */
export const readFlowLimits = { max: 12 * mib, ofAccount: 6 * mib } as const

/** How many uses of what a request changes are looked up, each with the flow that has it. */
export const mostDependents = 10_000

/** How often a client address may call public flows a minute, in each gateway; and how many addresses a gateway remembers. */
export const publicFlowCalls = { perMinute: 60, maxAddresses: 100_000 } as const

/**
 * The newest runs of a flow that are kept on record; older ones are deleted, whatever their age. Those without a known caller have a
 * share of their own, so that calls of a public flow push no others off the record.
 */
export const keptFlowRuns = { known: 10_000, public: 1_000 } as const

/** The tests of a flow. `work`: steps of expressions and items that are looked at, in all tests together. */
export const flowTestLimits = { maxTests: 100, work: 2_000_000 } as const
