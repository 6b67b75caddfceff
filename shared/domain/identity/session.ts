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
  const { sessionLifetimeSeconds, sessionIdleSeconds, endedCreatedAt, endedLastUsedAt } = settings
  if (times.createdAt <= endedCreatedAt || times.lastUsedAt <= endedLastUsedAt) return times.createdAt
  const lifetimeEnd = Math.min(times.expiresAt, times.createdAt + sessionLifetimeSeconds * 1_000)
  if (sessionIdleSeconds === null) return lifetimeEnd
  return Math.min(lifetimeEnd, times.lastUsedAt + idleMs({ sessionIdleSeconds }))
}

/** The times after which a session must have begun and have been used last, to be live by the settings of its group. */
export function liveSince(settings: GroupSettings, now: number): Pick<SessionTimes, 'createdAt' | 'lastUsedAt'> {
  const { sessionLifetimeSeconds, sessionIdleSeconds, endedCreatedAt, endedLastUsedAt } = settings
  const usedSince = sessionIdleSeconds === null ? 0 : now - idleMs({ sessionIdleSeconds })
  return {
    createdAt: Math.max(endedCreatedAt, now - sessionLifetimeSeconds * 1_000),
    lastUsedAt: Math.max(endedLastUsedAt, usedSince),
  }
}

function idleMs({ sessionIdleSeconds }: { sessionIdleSeconds: number }): number {
  return sessionIdleSeconds * 1_000 + lastUsedIntervalMs({ sessionIdleSeconds })
}
