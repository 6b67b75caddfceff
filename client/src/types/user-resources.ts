import type { ActingApiToken, JsonObject, Plan, Usage } from './resources.ts'

/** What only a signed-in user sees; `docs/api.md` describes the fields. */

type Stamps = { id: string; createdAt: string; updatedAt: string }

export type WebhookEvent = 'item.created' | 'item.updated' | 'item.restored' | 'item.deleted'

export type Webhook = Stamps & {
  url: string
  events: WebhookEvent[]
  description: string
  listIds: string[]
  headerNames: string[]
  maxRequestsPerSecond: number | null
  activated: boolean
  failureCount: number
  disabledAt: string | null
  disabledReason: string | null
  waitingCount: number
  heldCount: number
  heldIsAtLeast: boolean
  oldestHeldAt: string | null
  missedCount: number
  lastDeliveryAt: string | null
  where: Record<string, WebhookConditions>
}

/**
 * Filters on index values by path name, such as `lt:30`, and on `activated`, `tagged` and `readonly`, all of which have to hold, and `or`,
 * `and` and `not` of such objects; null is without a value. An index of such a name is written `index.tagged`.
 */
export type WebhookConditions = {
  [name: string]: ItemFilter | (ItemFilter | Combined)[] | Combined
}
type ItemFilter = string | number | boolean | null
/** Such an object again. */
type Combined = { [name: string]: unknown }

/** A webhook that was changed; `warnings`: which flows emit to it, where it was deactivated. */
export type WrittenWebhook = Webhook & { warnings?: string[] }

export type WebhookWithSecret = Webhook & { secret: string }
export type WebhookFields = Pick<Webhook, 'url' | 'events'> &
  Partial<Pick<Webhook, 'description' | 'listIds' | 'maxRequestsPerSecond' | 'activated' | 'where'>> & {
    headers?: Record<string, string>
  }

type DeliveryError =
  | 'timeout'
  | 'tls'
  | 'dns'
  | 'blocked-address'
  | 'not-https'
  | 'connection'
  | 'protocol'
  | 'interrupted'
  | 'secret'

export type Delivery = Stamps & {
  webhookId: string
  eventId: string
  event: WebhookEvent | 'flow.emit' | 'ping'
  listId: string | null
  itemId: string | null
  status: 'pending' | 'succeeded' | 'failed'
  attempts: number
  nextAttemptAt: string | null
  lastAttemptAt: string | null
  completedAt: string | null
  response: { status: number; body: string; durationMs: number } | null
  error: DeliveryError | null
}

export type DeliveryWithPayload = Delivery & {
  payload: JsonObject
  attemptLog: {
    number: number
    startedAt: string
    durationMs: number | null
    status: number | null
    error: DeliveryError | null
    /** Kept of attempts that failed or took over a second, and of pings; null also for a phase that there was not. */
    phases: { dnsMs: number | null; connectMs: number | null; tlsMs: number | null; waitMs: number | null } | null
    /** A few of the response, kept of the same attempts. */
    headers: Record<string, string> | null
  }[]
}

/** The result of a redelivery; `next`: there may be more. */
export type Redelivered = { queued: number; skipped: number; next?: string }

type DeliveryCauses = ({ error: DeliveryError; count: number } | { responseStatus: number; count: number })[]

/** How the newest settled deliveries of a webhook went; `causes` are those of failures, `durations` those of attempts, in ms. */
export type WebhookStats = {
  succeeded: number
  failed: number
  causes: DeliveryCauses
  durations: { p50: number; p95: number; max: number } | null
  hours: { at: string; succeeded: number; failed: number }[]
}

type Ended = { succeeded: number; failed: number }

/** The activity of an account in the last 24 hours; `causes`: why deliveries failed; `lists`: those that changed last. */
export type AccountStats = {
  hours: { at: string; requests: number; changes: number; deliveries: Ended; runs: Ended }[]
  causes: DeliveryCauses
  /** `code`: of the error; null: the runs are of listd before 0.3. */
  runCauses: { flowId: string; status: 'failed' | 'refused'; code: string | null; count: number }[]
  lists: { id: string; changedAt: string }[]
}

/** Deliveries as they would be sent now; `omitted`: further headers, whose values are not shown. */
export type SignedDeliveries = {
  deliveries: { id: string; url: string; headers: Record<string, string>; omitted: string[]; expiresAt: string }[]
}

export type Verification = {
  valid: boolean
  checks: { name: 'service-signature' | 'standard-signature' | 'timestamp' | 'body'; ok: boolean; message: string }[]
}

/** `lists`: the path names of the lists that the rules name, by their ids. */
export type ApiToken = ActingApiToken & {
  lists: Record<string, string>
  /** The positions of rules that are unknown, because an index has changed since they were saved; not in pages. */
  unknownRules?: number[]
}
export type ApiTokenWithValue = ApiToken & { value: string }
export type ApiTokenFields = Pick<ApiToken, 'name' | 'permissions'> &
  Partial<Pick<ApiToken, 'description' | 'tags' | 'ips' | 'expiresAt' | 'rateLimit' | 'activated'>>

/** Rules to try, for a token and an identity, which may both be absent. */
export type TriedRules = Pick<ApiToken, 'permissions'> & { tokenId?: string | null; identityId?: string | null }
/** How many items of a list a token would see; `isAtLeast`: the count stopped there. */
export type VisibleCount = { count: number; isAtLeast: boolean }

export type IdentityGroup = Stamps & {
  name: string
  sessionLifetimeSeconds: number
  sessionIdleSeconds: number | null
  requireEmail: boolean
  requireVerifiedEmail: boolean
  minPasswordLength: number
}

export type IdentityGroupSettings = Partial<Omit<IdentityGroup, keyof Stamps | 'name'>>

export type User = Stamps & { email: string; displayName: string | null; lastLoginAt: string | null }
export type Account = Stamps & { name: string; plan: string }
/** The answer if no user is signed in. */
export type Nobody = { user: null }
export type SignedIn = { user: User; account: Account; plan: Plan; usage: Usage; version: string }
/** The data that the dashboard stores for a user. */
export type Preferences = JsonObject
export type UserLogin = Pick<SignedIn, 'user' | 'account'> & { token: string; expiresAt: string }
export type Setup = UserLogin & { apiToken: ApiTokenWithValue }
export type UserSession = { id: string; createdAt: string; expiresAt: string; current: boolean }
export type OwnUserChange = {
  displayName?: string | null
  email?: string
  password?: string
  /** Needed to change `email` or `password`. */
  currentPassword?: string
}
