// A webhook with a rate limit is sent at most one request every `gapMs`: its attempts start at least that far apart, on the database's
// clock. The start of the last attempt is stored in the webhook's queue before the request is sent, so the limit holds across dispatchers,
// and also when a dispatcher dies.

/** A webhook's rate limit, and the start of its last attempt in epoch milliseconds; null: no limit, no attempt. */
export type Pace = { maxRequestsPerSecond: number | null; lastDeliveryAt: number | null }

/**
 * How long before its start an attempt may be claimed, so that claiming delays it less. The webhook's slot is occupied without sending for
 * at most this long.
 */
export const claimLeadMs = 20

/** When an attempt that is claimed now starts: now, or as soon as the rate limit allows. Epoch milliseconds. */
export function attemptBeginsAt({ maxRequestsPerSecond, lastDeliveryAt }: Pace, now: number): number {
  if (maxRequestsPerSecond === null || lastDeliveryAt === null) return now
  // A later start was recorded by a clock that has since been set back.
  const last = Math.min(lastDeliveryAt, now + claimLeadMs)
  return Math.max(now, last + gapMs(maxRequestsPerSecond))
}

/** Whether the rate limit does not allow a claim yet. */
export function isTooEarly(pace: Pace, now: number): boolean {
  return attemptBeginsAt(pace, now) - now > claimLeadMs
}

/** The earliest time at which the rate limit allows the next claim, in epoch milliseconds; null: it allows one now. */
export function claimableAt(pace: Pace, now: number): number | null {
  return isTooEarly(pace, now) ? attemptBeginsAt(pace, now) - claimLeadMs : null
}

/** The minimum time between the starts of two attempts, in whole milliseconds. */
function gapMs(maxRequestsPerSecond: number): number {
  return Math.ceil(1_000 / maxRequestsPerSecond)
}
