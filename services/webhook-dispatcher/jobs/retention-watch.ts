import type { Retained } from '#shared/data/settings/retention-runs.ts'
import type { Logger } from '#shared/log/logger.ts'
import type { Measured } from '#shared/ops/ops.ts'

type Watched = {
  log: Logger
  /** What is deleted. */
  what: Retained
  /** Milliseconds of a monotonic clock. */
  now(): number
}

/** Observes whether deletion keeps up with expiring rows. */
export type RetentionWatch = Pick<Watched, 'what'> & {
  /** A sweep begins, or continues. */
  working(): void
  deleted(rows: number): void
  /** The sweep has deleted everything that had expired when it began. */
  ended(): void
  /** How long ago the last completed sweep began: no remaining row has been expired for longer. Null: this process has had no recent turn. */
  behindSeconds(): number | null
}

/** How long a sweep may take before this is logged, and how often it is then logged. */
const logAfterMs = 3_600_000
/** After this long without work, other processes have had its turns: twice the longest time between two sweeps. */
const elsewhereAfterMs = 2 * 3_600_000

export function watchRetention({ log, what, now }: Watched): RetentionWatch {
  let sweep: { begunAt: number; loggedAt: number; deleted: number } | null = null
  /** When the last completed sweep began; until a sweep has completed, when the first one began. */
  let cleanAt: number | null = null
  let workedAt = Number.NEGATIVE_INFINITY
  const isElsewhere = () => now() - workedAt > elsewhereAfterMs
  return {
    what,
    working() {
      if (isElsewhere()) [sweep, cleanAt] = [null, null]
      workedAt = now()
      sweep ??= { begunAt: workedAt, loggedAt: workedAt, deleted: 0 }
      cleanAt ??= workedAt
    },
    deleted(rows) {
      if (!sweep || cleanAt === null) return
      workedAt = now()
      sweep.deleted += rows
      if (workedAt - sweep.loggedAt < logAfterMs) return
      log('retention.behind', { what, behindMs: Math.round(workedAt - cleanAt), deleted: sweep.deleted })
      sweep = { ...sweep, loggedAt: workedAt, deleted: 0 }
    },
    ended() {
      cleanAt = sweep?.begunAt ?? null
      sweep = null
    },
    behindSeconds: () => (cleanAt === null || isElsewhere() ? null : (now() - cleanAt) / 1_000),
  }
}

/** How far each kind is behind. */
export function measureRetention(watches: readonly RetentionWatch[]): Measured {
  return Object.fromEntries(
    watches.map(({ what, behindSeconds }) => [
      `listd_retention_${what}_behind_seconds`,
      {
        help: `How long ago the last run of this dispatcher that deleted all expired ${what} began`,
        read: behindSeconds,
      },
    ]),
  )
}
