import { createMinuteLimit } from '#shared/admission/minute-limit.ts'
import { signingLimits } from '#shared/domain/limits.ts'
import { AppError } from '#shared/errors.ts'
import type { SigningLimits } from './context.ts'

const maxKeys = 10_000

/** @param now a monotonic clock in milliseconds */
export function createSigningLimits(now: () => number): SigningLimits {
  const limit = () => createMinuteLimit({ now, perMinute: signingLimits.perMinute, maxKeys })
  return { sign: limit(), verify: limit() }
}

/** Counts one call of a user. @throws RATE_LIMIT_EXCEEDED with the wait */
export function countCall(limits: SigningLimits, kind: keyof SigningLimits, userId: string): void {
  const waitMs = limits[kind].count(userId)
  if (waitMs > 0) throw new AppError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
}
