/** The request limits of an account, and of one token or identity in it; null: none. */
export type RateLimits = {
  /** The minimum milliseconds between two requests of the account. */
  rateLimit: number | null
  maxRequestsPerMinute: number | null
  maxRequestsPerMonth: number | null
  /** The allowed requests beyond the monthly allowance, as a percentage of it. */
  overdraftPercent: number | null
  perIdentity: { maxRequestsPerMinute: number } | null
}

/** The requests of a month: admitted, and rejected by a limit. */
export type MonthCounts = { requests: number; blocked: number }

/** A month of UTC: its number, such as 202611, and its bounds in epoch milliseconds. */
export type Month = { number: number; start: number; end: number }

export function monthOf(time: number): Month {
  const date = new Date(time)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { number: year * 100 + month + 1, start: Date.UTC(year, month, 1), end: Date.UTC(year, month + 1, 1) }
}

/** The requests that are allowed beyond the allowance of a month. */
export function overdraftOf({
  maxRequestsPerMonth: allowance,
  overdraftPercent,
}: Pick<RateLimits, 'maxRequestsPerMonth' | 'overdraftPercent'>): number {
  return Math.floor(((allowance ?? 0) * (overdraftPercent ?? 0)) / 100)
}

/** The requests of a month paid by credits (bought in addition to the plan): those beyond allowance and overdraft. */
export function creditsUsed(
  requests: number,
  limits: Pick<RateLimits, 'maxRequestsPerMonth' | 'overdraftPercent'>,
): number {
  if (limits.maxRequestsPerMonth === null) return 0
  return Math.max(0, requests - limits.maxRequestsPerMonth - overdraftOf(limits))
}

/** The use of an account in a month: in total, and the part that is already stored, with the credits left at that time. */
export type MonthUse = MonthCounts & { stored: MonthCounts & { credits: number } }

/** The remaining credits after paying for use that is not stored yet. */
export function creditsLeft(
  { requests, stored }: Pick<MonthUse, 'requests' | 'stored'>,
  limits: Pick<RateLimits, 'maxRequestsPerMonth' | 'overdraftPercent'>,
): number {
  return Math.max(0, stored.credits - creditsUsed(requests, limits) + creditsUsed(stored.requests, limits))
}

/** Whether allowance, overdraft and credits are used up. */
export function isDegraded(
  use: Pick<MonthUse, 'requests' | 'stored'>,
  limits: Pick<RateLimits, 'maxRequestsPerMonth' | 'overdraftPercent'>,
): boolean {
  if (limits.maxRequestsPerMonth === null) return false
  return use.requests >= limits.maxRequestsPerMonth + overdraftOf(limits) && creditsLeft(use, limits) === 0
}
