import type { RawJson } from '../json.ts'
import type { PermissionRule } from './rules.ts'

/** The resources as the API answers them; `docs/api.md` describes the fields. Times are ISO 8601 texts in UTC. */

type Stamps = { id: string; createdAt: string; updatedAt: string }
export type JsonObject = { [key: string]: unknown }

export type List = Stamps & {
  name: string
  description: string
  tags: string[]
  pathName: string
  schema: JsonObject | null
  scope: string | null
  pinned: boolean
  readonly: boolean
  realtime: boolean
  protected: boolean
  indexable: boolean
  /** It has no effect yet. */
  generative: boolean
  /** It has no effect yet. */
  generativePrompt: string | null
  activated: boolean
  /** Null: conditions of rules decide which items the token sees, and those are not counted. */
  itemCount: number | null
}

export type ListFields = Partial<Omit<List, keyof Stamps | 'scope' | 'itemCount'>>

/** `warnings`: settings that are probably unintended, and flows that use the changed resource. */
type Warned = { warnings?: string[] }

/** A list that was created or changed. */
export type WrittenList = List & Warned

/** The answer to the dry run of a deletion. */
export type Deletion = { warnings: string[] }

export type Index = Stamps & {
  name: string
  description: string
  tags: string[]
  pathName: string
  scope: string | null
  pointer: string
  valueType: 'string' | 'number' | 'date'
  alias: boolean
  sorting: boolean
  filtering: boolean
  searching: boolean
  guard: boolean
  defaultOrderDirection: 'asc' | 'desc'
  activated: boolean
  buildStatus: 'ready' | 'building' | 'failed'
  /** The progress of the build, in items: while it is `building`, for callers who see every item. */
  progress?: { done: number; total: number }
}

/** An index that was created or changed. */
export type WrittenIndex = Omit<Index, 'progress'> & Warned

export type IndexFields = Partial<Omit<Index, keyof Stamps | 'scope' | 'buildStatus' | 'progress'>>

/** The preview of an index: the answer to a dry run of its creation. */
export type IndexTrial = {
  items: number
  missing: number
  sample: { itemId: string; value: string | number }[]
  duplicates: { value: string; itemIds: string[] }[]
  /** Settings that are probably unintended, and flows that use what the change removes. */
  warnings?: string[]
}

export type Item<Data> = Stamps & {
  identity: { id: string; displayName: string } | null
  data: Data
  /** Of a write whose result the rules of the token do not let it view: `data` is not there. */
  dataHidden?: true
  version: string
  readonly: boolean
  activated: boolean
  description: string
  tags: string[]
  size: number
  locked: boolean
  /** The value that a write with this item sends as `if-match`; absent in a dry run. */
  etag?: string
}

export type ItemFields<Data> = {
  data?: Data | RawJson
  description?: string
  tags?: string[]
  version?: string
  readonly?: boolean
  activated?: boolean
}

export type BatchOperation<Data> =
  | ({ op: 'create' } & ItemFields<Data>)
  | ({ op: 'update'; item: string; locked?: boolean } & ItemFields<Data>)
  | { op: 'delete'; item: string }
  /** Replaces the item with this alias, which the data has too, or creates it. */
  | ({ op: 'put'; item: string; data: Data } & ItemFields<Data>)

export type BatchResult<Data> = { results: { status: 200 | 201; item: Item<Data> }[] }

/** `relevance` is to be compared within one answer only. */
export type SearchResultId = { relevance: number; id: string }
export type SearchResultItem<Data> = { relevance: number; item: Item<Data> }

/** RFC 6902. */
export type PatchOperation =
  | { op: 'add' | 'replace' | 'test'; path: string; value: unknown }
  | { op: 'move' | 'copy'; path: string; from: string }
  | { op: 'remove'; path: string }

export type Event = Stamps & {
  stream: 'list' | 'item' | 'index' | 'identity' | 'token' | 'webhook' | 'user' | 'flow'
  type: string
  modelId: string
  /** The list that it is, or is in. */
  listId: string | null
  version: string | null
  actor:
    | { authMode: 'token'; tokenId: string; identityId: string | null }
    /** `userId`: in user mode, where it is known; `userName`: null if the user is gone. */
    | { authMode: 'user'; tokenId: null; identityId: null; userId?: string; userName?: string | null }
    | { authMode: 'flow'; tokenId: string | null; identityId: string | null; flowId: string; runId: string }
    | null
  snapshot?: JsonObject
  attachments?: JsonObject
}

/** An identity as other identities and API tokens see it. */
export type OtherIdentity = Stamps & {
  name: string
  displayName: string
  group: string | null
  tags: string[]
  lastLoginAt: string | null
  activated: boolean
}

/** An identity as it sees itself, and as a signed-in user sees it. */
export type OwnIdentity = OtherIdentity & {
  email: string | null
  emailVerified: boolean
  hasPassword: boolean
  sessionCount: number
}

export type Identity = OwnIdentity | OtherIdentity
export type IdentityLogin = OwnIdentity & { token: string; expiresAt: string }

export type IdentityFields = {
  name?: string
  displayName?: string
  email?: string | null
  emailVerified?: boolean
  password?: string
  tags?: string[]
  activated?: boolean
}

export type Registration = { group?: string; name: string; displayName?: string; email?: string; password: string }
/** An alternative to a password for signing in. */
export type IdentityProvider = { provider: string; name: string }
/** Who it is, within a group. */
export type IdentityName = { group?: string } & ({ name: string } | { email: string })
/** Who a one-time token is for. */
export type OneTimeTokenRequest = IdentityName | { group?: string; identityId: string }
export type OwnIdentityChange = {
  name?: string
  displayName?: string
  email?: string | null
  password?: string
  /** Needed to change `email` or `password`. */
  currentPassword?: string
}

export type IdentitySession = {
  id: string
  createdAt: string
  lastUsedAt: string
  expiresAt: string
  current: boolean
}

/** All three are null when there is no such identity. */
export type PasswordReset = { resetToken: string | null; expiresAt: string | null; identity: OwnIdentity | null }
export type EmailVerification = {
  verificationToken: string | null
  expiresAt: string | null
  identity: OwnIdentity | null
}

/** A token as it sees itself. */
export type ActingApiToken = Stamps & {
  name: string
  description: string
  tags: string[]
  permissions: PermissionRule[]
  ips: string[] | null
  expiresAt: string | null
  /** Requests a minute. */
  rateLimit: number | null
  activated: boolean
  locked: boolean
  lastUsedAt: string | null
}

type Unlimited = number | null

export type Plan = {
  id: string
  name: string
  rateLimit: Unlimited
  maxRequestsPerMinute: Unlimited
  maxRequestsPerMonth: Unlimited
  overdraftPercent: Unlimited
  maxStorageBytes: Unlimited
  maxLists: Unlimited
  maxItemsPerList: Unlimited
  maxIndexesPerList: Unlimited
  maxItemSize: Unlimited
  maxItemVersions: Unlimited
  maxTokens: Unlimited
  maxIdentities: Unlimited
  maxWebhooks: Unlimited
  maxFlows: Unlimited
  maxRealtimeConnections: Unlimited
  /** It has no effect yet. */
  generativeAPI: boolean | null
}

export type Usage = {
  periodStart: string | null
  periodEnd: string | null
  requestCount: number | null
  blockedCount: number | null
  requestAllowance: number | null
  requestsRemaining: number | null
  overdraftAllowance: number | null
  credits: number | null
  storageBytes: number | null
  storageAllowance: number | null
  degraded: boolean | null
}

/** The API token that a client acts with. */
export type OwnApiToken = { token: ActingApiToken; plan: Plan; usage: Usage }

/** What was created day by day; `countedSince`: what came before it is in no count. */
export type CreatedStats = {
  total: number
  totalThisPeriod: number
  countedSince?: string
  metrics: { date: string; count: number }[]
}

/** What happened day by day, and of which types; `total` is how many are counted, the newest. */
export type EventStats = Omit<CreatedStats, 'metrics'> & {
  totalIsAtLeast?: true
  metrics: { date: string; count: number; types: Record<string, number> }[]
}

export type ListStats = { items: CreatedStats; indexes: CreatedStats; events: EventStats }
export type Stats = { events: EventStats }
