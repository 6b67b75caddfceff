import { isoTime } from './text/iso-time.ts'
import { type Cause, causesOf, type Settled } from './webhook/deliveries/stats.ts'

// Numbers of events by hour, and the causes of failures.

export const hourMs = 3_600_000

/** The number of hours reported, the current one last. */
const shownHours = 24

/** Maximum counted rows of one kind and hour. */
export const maxHourly = 1_000

/** The starts of the last hours in epoch milliseconds, the current one last. */
export function lastHours(now: number): number[] {
  const present = now - (now % hourMs)
  return Array.from({ length: shownHours }, (_, n) => present - (shownHours - 1 - n) * hourMs)
}

/** The counts per hour, in the order of the hours. */
export type HourCounts = {
  requests: readonly number[]
  changes: readonly number[]
  delivered: readonly number[]
  undelivered: readonly number[]
  ran: readonly number[]
  failed: readonly number[]
}

/** The activity of an account by hour. `lists`: those that changed last, including changes of their items. */
export type AccountStats = {
  hours: {
    at: string
    requests: number
    changes: number
    deliveries: { succeeded: number; failed: number }
    runs: { succeeded: number; failed: number }
  }[]
  causes: Cause[]
  runCauses: RunCause[]
  lists: { id: string; changedAt: string }[]
}

/** The number of runs of a flow with this status and error code. `code` null: recorded by a version that stored the code only in the report. */
export type RunCause = { flowId: string; status: 'failed' | 'refused'; code: string | null; count: number }

export type ListChange = { listId: string; changedAt: number }

type Counted = {
  counts: HourCounts
  failures: readonly Settled[]
  runCauses: readonly RunCause[]
  lists: readonly ListChange[]
}

/** @param counted.failures the deliveries of these hours that failed for good, up to the number read */
export function accountStats(hours: readonly number[], { counts, failures, runCauses, lists }: Counted): AccountStats {
  return {
    hours: hours.map((begin, n) => ({
      at: isoTime(begin),
      requests: counts.requests[n] ?? 0,
      changes: counts.changes[n] ?? 0,
      deliveries: { succeeded: counts.delivered[n] ?? 0, failed: counts.undelivered[n] ?? 0 },
      runs: { succeeded: counts.ran[n] ?? 0, failed: counts.failed[n] ?? 0 },
    })),
    causes: causesOf(failures),
    runCauses: [...runCauses],
    lists: lists.map(({ listId, changedAt }) => ({ id: listId, changedAt: isoTime(changedAt) })),
  }
}

/**
 * The lists of events, ordered by their newest event, without deleted lists.
 * @param events the newest first
 */
export function changedLists(
  events: readonly { listId: string; type: string; createdAt: number }[],
  most: number,
): ListChange[] {
  const newest = new Map<string, { type: string; createdAt: number }>()
  for (const { listId, ...event } of events) if (!newest.has(listId)) newest.set(listId, event)
  return [...newest]
    .filter(([, { type }]) => type !== 'list-deleted')
    .slice(0, most)
    .map(([listId, { createdAt }]) => ({ listId, changedAt: createdAt }))
}
