import { isoTime } from './text/iso-time.ts'

// Numbers of events by day, in UTC.

/** The number of events of a type on a day; `day` is its start in epoch milliseconds. */
export type DayCount = { type: string; day: number; entries: number }

/** Counted events; `since`: the time of the oldest one, if there may be older ones that are not counted; null: all are counted. */
export type CountedEvents = { counts: readonly DayCount[]; since: number | null }

/** A current total, the number added in the period, and the number on each of its days, today last. */
export type Stats = {
  total: number
  totalIsAtLeast?: true
  totalThisPeriod: number
  countedSince?: string
  metrics: { date: string; count: number; types?: Record<string, number> }[]
}

export const dayMs = 86_400_000

/** The starts of the last days, today's last. */
export function lastDays(now: number, days: number): number[] {
  const today = now - (now % dayMs)
  return Array.from({ length: days }, (_, n) => today - (days - 1 - n) * dayMs)
}

/** Statistics of counted events: their number in all, and by type for each day. */
export function eventStats({ counts, since }: CountedEvents, days: readonly number[]): Stats {
  const { totalThisPeriod, metrics } = periodOf(counts, days)
  return {
    total: sumOf(counts),
    ...(since !== null && { totalIsAtLeast: true }),
    totalThisPeriod,
    ...(since !== null && { countedSince: isoTime(since) }),
    metrics: metrics.map(({ day, ...metric }) => ({ ...metric, types: typesOf(counts, day) })),
  }
}

/** Statistics of created things by day; `total` is their current number. */
export function createdStats(total: number, { counts, since }: CountedEvents, days: readonly number[]): Stats {
  const { totalThisPeriod, metrics } = periodOf(counts, days)
  const isPart = since !== null && since >= (days[0] ?? 0)
  return {
    total,
    totalThisPeriod,
    ...(isPart && { countedSince: isoTime(since) }),
    metrics: metrics.map(({ date, count }) => ({ date, count })),
  }
}

function periodOf(counts: readonly DayCount[], days: readonly number[]) {
  const byDay = Map.groupBy(counts, ({ day }) => day)
  const metrics = days.map((day) => ({ day, date: isoTime(day).slice(0, 10), count: sumOf(byDay.get(day) ?? []) }))
  return { metrics, totalThisPeriod: metrics.reduce((sum, { count }) => sum + count, 0) }
}

function sumOf(counts: readonly DayCount[]): number {
  return counts.reduce((sum, { entries }) => sum + entries, 0)
}

/** The types of a day by name, and how many events of each there are. */
function typesOf(counts: readonly DayCount[], day: number): Record<string, number> {
  const types: Record<string, number> = {}
  const ofDay = counts.filter((count) => count.day === day)
  for (const { type, entries } of ofDay.toSorted((one, other) => (one.type < other.type ? -1 : 1))) {
    types[type] = (types[type] ?? 0) + entries
  }
  return types
}
