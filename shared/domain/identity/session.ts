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
 * How often a session's last use is recorded. Recording every use would be a write per request; at this interval a session ends
 * late by at most a tenth of its idle time or a second, and never early. A session whose last use was before a change of the
 * settings ends late by at most a minute.
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
  // Uses before a change of the settings were recorded at the interval of the earlier settings, which may have been the longest.
  const unrecordedMs = Math.min(maxIntervalMs, settings.updatedAt - times.lastUsedAt)
  const lateMs = Math.max(lastUsedIntervalMs(settings), unrecordedMs)
  return Math.min(lifetimeEnd, times.lastUsedAt + sessionIdleSeconds * 1_000 + lateMs)
}

/** The times after which a session must have begun and have been used last, to be live by the settings of its group. */
export function liveSince(settings: GroupSettings, now: number): Pick<SessionTimes, 'createdAt' | 'lastUsedAt'> {
  const { sessionLifetimeSeconds, endedCreatedAt, endedLastUsedAt } = settings
  return {
    createdAt: Math.max(endedCreatedAt, now - sessionLifetimeSeconds * 1_000),
    lastUsedAt: Math.max(endedLastUsedAt, recordedSince(settings, now)),
  }
}

/** The recorded use after which `sessionEndsAt` still counts a session as used within its idle time. */
function recordedSince({ sessionIdleSeconds, updatedAt }: GroupSettings, now: number): number {
  if (sessionIdleSeconds === null) return 0
  const usedSince = now - sessionIdleSeconds * 1_000
  return usedSince - (usedSince < updatedAt ? maxIntervalMs : lastUsedIntervalMs({ sessionIdleSeconds }))
}
