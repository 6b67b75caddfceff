import { createLruMap } from '#shared/admission/lru-map.ts'
import { createSlidingMinutes } from '#shared/admission/sliding-minutes.ts'
import type { GatewayRequests } from '#shared/bus/messages/gateway.ts'
import type { RateLimits } from '#shared/domain/plan/rates.ts'
import { AppError } from '#shared/errors.ts'

/** How many requests a minute an account may send, and how many of them are left. */
export type Quota = { total: number; remaining: number }

/** An API token, and how many requests a minute it may send; null: any number. */
export type RatedToken = { id: string; perMinute: number | null }

/**
 * A request of an account, with its token and its identity if it has them. `perMinute`: how many requests a minute the account may
 * currently send; null: any number.
 */
type PacedRequest = {
  accountId: string
  token: RatedToken | null
  identityId: string | null
  rates: RateLimits
  perMinute: number | null
}

/** The rate of requests: those of the last minute, and the last one. */
export type RequestPace = {
  /** @returns RATE_LIMIT_EXCEEDED for the limit with the longest wait; null: the request need not wait */
  rejectionOf(request: PacedRequest): AppError | null
  count(request: PacedRequest): void
  quotaOf(request: PacedRequest): Quota | null
  /** The counts since the last call, for the other gateways. */
  changes(): GatewayRequests['counts']
  hear(message: GatewayRequests): void
}

/** The most accounts, tokens and identities that are tracked. */
const maxKeys = 100_000

/** @param now epoch milliseconds */
export function createRequestPace(now: () => number): RequestPace {
  const minutes = createSlidingMinutes({ now: () => performance.now(), maxKeys })
  const lastAt = createLruMap<number>(maxKeys)
  let counted = new Map<string, number>()
  const waitOf = (key: string, max: number | null) => (max === null ? 0 : minutes.waitMs(key, max))

  const tokenWaitMs = (token: RatedToken | null) => (token ? waitOf(tokenKey(token.id), token.perMinute) : 0)

  function waits({ accountId, token, identityId, rates, perMinute }: PacedRequest): Wait[] {
    const { rateLimit, perIdentity } = rates
    const perOne = identityId === null ? null : (perIdentity?.maxRequestsPerMinute ?? null)
    const last = rateLimit === null ? undefined : lastAt.get(accountKey(accountId))
    return [
      { limit: 'maxRequestsPerMinute', max: perMinute, ms: waitOf(accountKey(accountId), perMinute) },
      { limit: 'token.rateLimit', max: token?.perMinute ?? null, ms: tokenWaitMs(token) },
      { limit: 'perIdentity.maxRequestsPerMinute', max: perOne, ms: waitOf(identityKey(identityId ?? ''), perOne) },
      { limit: 'rateLimit', max: rateLimit, ms: last === undefined ? 0 : last + (rateLimit ?? 0) - now() },
    ]
  }

  function count(key: string): void {
    minutes.add(key, 1)
    counted.set(key, (counted.get(key) ?? 0) + 1)
  }

  return {
    rejectionOf(request) {
      const [longest] = waits(request).sort((one, other) => other.ms - one.ms)
      return longest && longest.ms > 0 ? limitExceeded(longest) : null
    },
    count({ accountId, token, identityId, rates }) {
      if (rates.maxRequestsPerMinute !== null || rates.maxRequestsPerMonth !== null) count(accountKey(accountId))
      if (token && token.perMinute !== null) count(tokenKey(token.id))
      if (identityId !== null && rates.perIdentity) count(identityKey(identityId))
      if (rates.rateLimit !== null) lastAt.set(accountKey(accountId), now())
    },
    quotaOf({ accountId, perMinute }) {
      if (perMinute === null) return null
      return { total: perMinute, remaining: Math.max(0, perMinute - minutes.count(accountKey(accountId))) }
    },
    changes() {
      const counts = [...counted].map(([key, count]) => ({ key, count }))
      counted = new Map()
      return counts
    },
    hear({ counts }) {
      for (const { key, count } of counts) {
        minutes.add(key, count)
        if (lastAt.has(key)) lastAt.set(key, now())
      }
    },
  }
}

type Wait = { limit: string; max: number | null; ms: number }

function limitExceeded({ limit, max, ms }: Wait): AppError {
  return new AppError('RATE_LIMIT_EXCEEDED', { details: { limit, max }, retryAfterSeconds: Math.max(1, ms / 1_000) })
}

const accountKey = (id: string) => `account/${id}`
const tokenKey = (id: string) => `token/${id}`
const identityKey = (id: string) => `identity/${id}`
