import { loginLimits } from '../limits.ts'

const { freeFailures, firstWaitMs, longestWaitMs, forgetMs } = loginLimits

/** The counted login attempts of one name. Times are epoch milliseconds. */
export type LoginAttempts = {
  failures: number
  /** The end of the last wait; 0 when there was none. */
  blockedUntil: number
  /** When the count is forgotten. */
  forgetAt: number
}

/** Either a wait, without counting the attempt; or the attempts including this one. */
type NextLogin = { waitMs: number; counted: null } | { waitMs: 0; counted: LoginAttempts }

/**
 * Whether a login may proceed, and how it counts (contract 2.5): the first five attempts need no wait. The fifth and each later
 * one starts a wait, first of one second, doubling up to 15 minutes. Attempts during a wait are not counted. The count is
 * forgotten 12 hours after the last attempt.
 * @param attempts null when none is counted
 */
export function nextLoginWait(attempts: LoginAttempts | null, now: number): NextLogin {
  const known = attempts && attempts.forgetAt > now ? attempts : { failures: 0, blockedUntil: 0 }
  if (known.blockedUntil > now) return { waitMs: known.blockedUntil - now, counted: null }
  const failures = known.failures + 1
  return { waitMs: 0, counted: { failures, blockedUntil: blockedUntil(failures, now), forgetAt: now + forgetMs } }
}

/**
 * The attempts without one that was counted although no password was verified. The wait that it started ends; a wait that a later
 * attempt started stays.
 * @param countedAt when it was counted
 */
export function withoutAttempt(attempts: LoginAttempts, countedAt: number): LoginAttempts {
  const isLast = attempts.forgetAt === countedAt + forgetMs
  const { failures, blockedUntil } = attempts
  return { ...attempts, failures: Math.max(0, failures - 1), blockedUntil: isLast ? 0 : blockedUntil }
}

function blockedUntil(failures: number, now: number): number {
  if (failures < freeFailures) return 0
  return now + Math.min(firstWaitMs * 2 ** (failures - freeFailures), longestWaitMs)
}
