import type { GroupSettings } from './group.ts'

/** A session of an identity. Times are epoch milliseconds. */
export type SessionTimes = {
  createdAt: number
  /** What was promised when it began: settings may shorten that later, never lengthen it. */
  expiresAt: number
  lastUsedAt: number
}

const leastNoteMs = 1_000
const mostNoteMs = 60_000

/**
 * How old what is noted of a session's last use may be. To note every use would be a write per request; noted this
 * rarely, a session ends late by at most a tenth of its idle time or a second, and never early.
 */
export function useNotedEveryMs({ sessionIdleSeconds }: Pick<GroupSettings, 'sessionIdleSeconds'>): number {
  if (sessionIdleSeconds === null) return mostNoteMs
  return Math.min(mostNoteMs, Math.max(leastNoteMs, sessionIdleSeconds * 100))
}

/** When the session ends by the settings its group has now, unless it is used again (contract 2.5). */
export function sessionEndsAt(times: SessionTimes, settings: GroupSettings): number {
  const { sessionLifetimeSeconds, sessionIdleSeconds } = settings
  const lifetimeEnd = Math.min(times.expiresAt, times.createdAt + sessionLifetimeSeconds * 1_000)
  if (sessionIdleSeconds === null) return lifetimeEnd
  return Math.min(lifetimeEnd, times.lastUsedAt + sessionIdleSeconds * 1_000 + useNotedEveryMs(settings))
}
