// A webhook with a rate limit is sent at most one request every `gapMs`: its attempts start at least that far apart, on the database's
// clock. The start of the last attempt is stored in the webhook's queue before the request is sent, so the limit holds across dispatchers,
// and also when a dispatcher dies.

/** A webhook's bound, and the beginning of its last attempt in epoch milliseconds; null: no bound, no attempt. */
export type Pace = { maxRequestsPerSecond: number | null; lastDeliveryAt: number | null }

/**
 * How long before its beginning an attempt may be claimed. Its claim then takes that long less, and the webhook's slot is held
 * for no longer than this while nothing is sent.
 */
export const claimLeadMs = 20

/** When an attempt that is claimed now begins: now, or as soon as the bound allows. Epoch milliseconds. */
export function attemptBeginsAt({ maxRequestsPerSecond, lastDeliveryAt }: Pace, now: number): number {
  if (maxRequestsPerSecond === null || lastDeliveryAt === null) return now
  // A later start was recorded by a clock that has since been set back.
  const last = Math.min(lastDeliveryAt, now + claimLeadMs)
  return Math.max(now, last + gapMs(maxRequestsPerSecond))
}

/** Whether the bound allows no claim yet. */
export function isTooEarly(pace: Pace, now: number): boolean {
  return attemptBeginsAt(pace, now) - now > claimLeadMs
}

/** The earliest time at which the bound allows the next claim, in epoch milliseconds; null: it allows one now. */
export function claimableAt(pace: Pace, now: number): number | null {
  return isTooEarly(pace, now) ? attemptBeginsAt(pace, now) - claimLeadMs : null
}

/** The least time between the beginnings of two attempts, in whole milliseconds. */
function gapMs(maxRequestsPerSecond: number): number {
  return Math.ceil(1_000 / maxRequestsPerSecond)
}
