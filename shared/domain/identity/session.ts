import type { GroupSettings } from './group-fields.ts'

/** A session of an identity. Times are epoch milliseconds. */
export type SessionTimes = {
  createdAt: number
  /** Set when the session began: settings may shorten it later, never lengthen it. */
  expiresAt: number
  lastUsedAt: number
}

const minIntervalMs = 1_000
const maxIntervalMs = 60_000

/**
 * How often a session's last use is recorded. Recording every use would be a write per request; at this interval a
 * session ends late by at most a tenth of its idle time or a second, and never early.
 */
export function lastUsedIntervalMs({ sessionIdleSeconds }: Pick<GroupSettings, 'sessionIdleSeconds'>): number {
  if (sessionIdleSeconds === null) return maxIntervalMs
  return Math.min(maxIntervalMs, Math.max(minIntervalMs, sessionIdleSeconds * 100))
}

/** When the session ends by its group's current settings, unless it is used again (contract 2.5). */
export function sessionEndsAt(times: SessionTimes, settings: GroupSettings): number {
  const { sessionLifetimeSeconds, sessionIdleSeconds } = settings
  const lifetimeEnd = Math.min(times.expiresAt, times.createdAt + sessionLifetimeSeconds * 1_000)
  if (sessionIdleSeconds === null) return lifetimeEnd
  return Math.min(lifetimeEnd, times.lastUsedAt + sessionIdleSeconds * 1_000 + lastUsedIntervalMs(settings))
}
