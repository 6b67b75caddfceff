import { isoTime } from '../../text/iso-time.ts'
import type { AttemptError } from './delivery.ts'

/** A delivery that has succeeded, or failed for good, with the outcome of its last attempt. */
export type Settled = {
  succeeded: boolean
  error: AttemptError | null
  responseStatus: number | null
  /** Epoch milliseconds. */
  completedAt: number
}

/** Statistics of the newest settled deliveries of a webhook. */
export type WebhookStats = {
  succeeded: number
  failed: number
  /** Why deliveries failed for good, the most frequent first. */
  causes: Cause[]
  /** Of attempts, in milliseconds; null: there was none. */
  durations: { p50: number; p95: number; max: number } | null
  /** The hours in which deliveries settled, oldest first; hours without any are omitted. */
  hours: { at: string; succeeded: number; failed: number }[]
}

export type Cause = ({ error: AttemptError } | { responseStatus: number }) & { count: number }

/** @param durations of the attempts of these deliveries, in milliseconds */
export function statsOf(settled: readonly Settled[], durations: readonly number[]): WebhookStats {
  const failed = settled.filter(({ succeeded }) => !succeeded)
  return {
    succeeded: settled.length - failed.length,
    failed: failed.length,
    causes: causesOf(failed),
    durations: durationsOf(durations),
    hours: hoursOf(settled),
  }
}

/** Why deliveries failed, the most frequent cause first. */
export function causesOf(failed: readonly Settled[]): Cause[] {
  const groups = Map.groupBy(failed, ({ error, responseStatus }) => error ?? responseStatus ?? 0)
  const causes = [...groups].flatMap(([, [first, ...others]]): Cause[] => {
    const count = others.length + 1
    if (first?.error) return [{ error: first.error, count }]
    return first?.responseStatus ? [{ responseStatus: first.responseStatus, count }] : []
  })
  return causes.sort((one, other) => other.count - one.count)
}

function durationsOf(durations: readonly number[]): WebhookStats['durations'] {
  const sorted = durations.toSorted((one, other) => one - other)
  const max = sorted.at(-1)
  // The nearest rank: this percentage of the durations is at most as long as the result.
  const rank = (percent: number) => sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? 0
  return max === undefined ? null : { p50: rank(50), p95: rank(95), max }
}

const hourMs = 3_600_000

function hoursOf(settled: readonly Settled[]): WebhookStats['hours'] {
  const groups = Map.groupBy(settled, ({ completedAt }) => Math.floor(completedAt / hourMs) * hourMs)
  const hours = [...groups].sort(([one], [other]) => one - other)
  return hours.map(([at, all]) => {
    const succeeded = all.filter((each) => each.succeeded).length
    return { at: isoTime(at), succeeded, failed: all.length - succeeded }
  })
}
