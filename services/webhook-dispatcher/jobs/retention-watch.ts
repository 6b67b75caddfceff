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

/** Observes whether deletion keeps up with what grows old. */
export type RetentionWatch = Pick<Watched, 'what'> & {
  /** A sweep begins, or continues. */
  working(): void
  deleted(rows: number): void
  /** The sweep has left nothing that was too old when it began. */
  ended(): void
  /** How long ago the last sweep began that has ended: what is still there has been too old for no longer. Null: it has had no turn lately. */
  behindSeconds(): number | null
}

/** How long a sweep may take until that is logged, and how often it is logged then. */
const logAfterMs = 3_600_000
/** When this process has not worked for so long, others had its turns: it is twice the longest time between two sweeps. */
const elsewhereAfterMs = 2 * 3_600_000

export function watchRetention({ log, what, now }: Watched): RetentionWatch {
  let sweep: { begunAt: number; loggedAt: number; deleted: number } | null = null
  /** When the last sweep began that has ended; until one has, when the first one did. */
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

/** How far each is behind. */
export function measureRetention(watches: readonly RetentionWatch[]): Measured {
  return Object.fromEntries(
    watches.map(({ what, behindSeconds }) => [
      `listd_retention_${what}_behind_seconds`,
      {
        help: `How long ago the last run of this dispatcher began that has deleted all ${what} that were too old`,
        read: behindSeconds,
      },
    ]),
  )
}
