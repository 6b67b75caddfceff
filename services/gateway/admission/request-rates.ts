import type { GatewayRequests } from '#shared/bus/messages/gateway.ts'
import type { StoredMonth, UnsettledMonth } from '#shared/data/accounts/request-months.ts'
import { isDegraded, type MonthUse, monthOf, type RateLimits } from '#shared/domain/plan/rates.ts'
import { AppError } from '#shared/errors.ts'
import { createRequestMonths, type RequestMonths } from './request-months.ts'
import { createRequestPace, type Quota, type RatedToken, type RequestPace } from './request-pace.ts'

/** A request that is limited, by its API token or by the plan of its account. */
export type RatedRequest = {
  accountId: string
  /** null: nobody in particular calls a public flow. */
  token: RatedToken | null
  /** The identity that the token acts for; null: none. */
  identityId: string | null
  /** Of the account; null: none. */
  rates: RateLimits | null
  /** Whether it may change something. */
  isWrite: boolean
}

/** `quota`: null for any number. `refusal`: RATE_LIMIT_EXCEEDED; null: the request may go on. */
export type Admission = { quota: Quota | null; refusal: AppError | null }

export type RequestRates = {
  /** Counts a request, or refuses it. */
  admit(request: RatedRequest): Promise<Admission>
  /** What an account has used of this month. */
  used(accountId: string): Promise<MonthUse>
  /** Counts what another gateway has let in. */
  hear(message: GatewayRequests): void
  /** Stores the counts that are not stored yet, and stops telling others. */
  close(): Promise<void>
}

/** How often gateways tell each other what they have counted, and how often they store it. */
const intervals = { tellMs: 250, settleMs: 10_000 }
/** Entries of one message. */
const maxTold = 1_000

type RatesOptions = {
  /** Epoch milliseconds. */
  now(): number
  /** Names this run of the process. */
  instance: string
  /** The reads a minute that are left to an account whose month is used up; null: any number. */
  freePerMinute: number | null
  read(accountId: string, month: number): Promise<StoredMonth>
  store(rows: readonly UnsettledMonth[]): Promise<Map<string, StoredMonth>>
  tell(message: GatewayRequests): void
  onError(error: unknown): void
}

/**
 * Limits the requests of accounts, tokens and identities, in the memory of this gateway: exact with one, and with several as late as their
 * messages are.
 */
export function createRequestRates(options: RatesOptions): RequestRates {
  const { now, instance, freePerMinute, onError } = options
  const pace = createRequestPace(now)
  const months = createRequestMonths(options)
  const tell = () => tellCounts(options, { pace, months })
  const settle = () => months.settle().catch(onError)
  const timers = [setInterval(tell, intervals.tellMs).unref(), setInterval(settle, intervals.settleMs).unref()]

  return {
    async admit(request) {
      const { accountId, isWrite } = request
      const rates = request.rates ?? unlimited
      const isMonthLimited = rates.maxRequestsPerMonth !== null
      if (isMonthLimited && !months.known(accountId)) await months.used(accountId)
      // Nothing is waited for from here on, so that requests at the same time are counted one after the other.
      const isUsedUp = isMonthLimited && isDegraded(months.known(accountId) ?? unused, rates)
      const perMinute = isUsedUp ? lesser(rates.maxRequestsPerMinute, freePerMinute) : rates.maxRequestsPerMinute
      const paced = { ...request, rates, perMinute }
      const refusal = isUsedUp && isWrite ? usedUp(rates, now()) : pace.refusalOf(paced)
      if (request.rates) months.add({ accountId, limits: rates }, refusal ? { blocked: 1 } : { requests: 1 })
      if (!refusal) pace.count(paced)
      return { quota: pace.quotaOf(paced), refusal }
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
      tell()
    },
  }
}

function tellCounts(
  { instance, tell }: Pick<RatesOptions, 'instance' | 'tell'>,
  { pace, months }: { pace: RequestPace; months: RequestMonths },
): void {
  const [counts, changes] = [pace.changes(), months.changes()]
  for (let at = 0; at < Math.max(counts.length, changes.length); at += maxTold) {
    tell({ instance, counts: counts.slice(at, at + maxTold), months: changes.slice(at, at + maxTold) })
  }
}

/** The error of a write when nothing is left of the month. */
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
