import type { GatewayRequests } from '#shared/bus/messages/gateway.ts'
import type { StoredMonth, UnsettledMonth } from '#shared/data/accounts/request-months.ts'
import { isDegraded, type MonthUse, monthOf, type RateLimits } from '#shared/domain/plan/rates.ts'
import { AppError } from '#shared/errors.ts'
import { createRequestMonths, type RequestMonths } from './request-months.ts'
import { createRequestPace, type Quota, type RatedToken, type RequestPace } from './request-pace.ts'

/** A request that is limited, by its API token or by the plan of its account. */
export type RatedRequest = {
  accountId: string
  /** null: a call of a public flow without credentials. */
  token: RatedToken | null
  /** The identity that the token acts for; null: none. */
  identityId: string | null
  /** Of the account; null: none. */
  rates: RateLimits | null
  /** Whether the request may change something. */
  isWrite: boolean
}

/** `quota`: of the account; null: any number. `rejection`: RATE_LIMIT_EXCEEDED; null: the request is admitted. */
export type Admission = { quota: Quota | null; rejection: AppError | null }

export type RequestRates = {
  /** Counts a request, or rejects it. */
  admit(request: RatedRequest): Promise<Admission>
  /** What an account has used of this month. */
  used(accountId: string): Promise<MonthUse>
  /** Counts requests that another gateway has admitted. */
  hear(message: GatewayRequests): void
  /** Stores the counts that are not stored yet, and stops reporting to other gateways. */
  close(): Promise<void>
}

/** How often gateways report their counts to each other, and how often they store them. */
const intervals = { reportMs: 250, settleMs: 10_000 }
/** The most entries of each kind in one message. */
const maxReported = 1_000

type RatesOptions = {
  /** Epoch milliseconds. */
  now(): number
  /** Identifies this run of the process. */
  instance: string
  /** How many reads a minute remain for an account whose month is used up; null: any number. */
  freePerMinute: number | null
  read(accountId: string, month: number): Promise<StoredMonth>
  store(rows: readonly UnsettledMonth[]): Promise<Map<string, StoredMonth>>
  broadcast(message: GatewayRequests): void
  onError(error: unknown): void
}

/**
 * Limits the requests of accounts, tokens and identities, with counts in the memory of this gateway. With one gateway the limits are exact;
 * with several, each learns the counts of the others by message, a little late.
 */
export function createRequestRates(options: RatesOptions): RequestRates {
  const { now, instance, freePerMinute, onError } = options
  const pace = createRequestPace(now)
  const months = createRequestMonths(options)
  const report = () => reportCounts(options, { pace, months })
  const settle = () => months.settle().catch(onError)
  const timers = [setInterval(report, intervals.reportMs).unref(), setInterval(settle, intervals.settleMs).unref()]

  return {
    async admit(request) {
      const { accountId, isWrite } = request
      const rates = request.rates ?? unlimited
      const isMonthLimited = rates.maxRequestsPerMonth !== null
      if (isMonthLimited && !months.known(accountId)) await months.used(accountId)
      // No await from here on, so that concurrent requests are counted one after the other.
      const isUsedUp = isMonthLimited && isDegraded(months.known(accountId) ?? unused, rates)
      const perMinute = isUsedUp ? lesser(rates.maxRequestsPerMinute, freePerMinute) : rates.maxRequestsPerMinute
      const paced = { ...request, rates, perMinute }
      const rejection = isUsedUp && isWrite ? usedUp(rates, now()) : pace.rejectionOf(paced)
      if (request.rates) months.add({ accountId, limits: rates }, rejection ? { blocked: 1 } : { requests: 1 })
      if (!rejection) pace.count(paced)
      return { quota: pace.quotaOf(paced), rejection }
    },
    used: months.used,
    hear(message) {
      if (message.instance === instance) return
      pace.hear(message)
      months.hear(message)
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      await settle()
      report()
    },
  }
}

function reportCounts(
  { instance, broadcast }: Pick<RatesOptions, 'instance' | 'broadcast'>,
  { pace, months }: { pace: RequestPace; months: RequestMonths },
): void {
  const [counts, changes] = [pace.changes(), months.changes()]
  for (let at = 0; at < Math.max(counts.length, changes.length); at += maxReported) {
    broadcast({ instance, counts: counts.slice(at, at + maxReported), months: changes.slice(at, at + maxReported) })
  }
}

/** The error of a write when the month is used up. */
function usedUp({ maxRequestsPerMonth: max }: RateLimits, now: number): AppError {
  const retryAfterSeconds = (monthOf(now).end - now) / 1_000
  return new AppError('RATE_LIMIT_EXCEEDED', { details: { limit: 'maxRequestsPerMonth', max }, retryAfterSeconds })
}

const unlimited: RateLimits = {
  rateLimit: null,
  maxRequestsPerMinute: null,
  maxRequestsPerMonth: null,
  overdraftPercent: null,
  perIdentity: null,
}

const unused: MonthUse = { requests: 0, blocked: 0, stored: { requests: 0, blocked: 0, credits: 0 } }

function lesser(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}
