import { setTimeout as pause } from 'node:timers/promises'
import { unavailable } from '#shared/errors.ts'
import { backOffMs } from '#shared/time/back-off.ts'

/** The state that a change is computed from, and that another change can make obsolete. */
type ConflictOn = 'list' | 'item' | 'group' | 'login' | 'build' | 'key' | 'flow'

/** Thrown when another change came first: the state that this one was computed from is outdated. Nothing was written. */
export class Conflict extends Error {
  override readonly name = 'Conflict'
  readonly on: ConflictOn
  /** The position of the conflicting change among those of the same commit. */
  readonly change: number | undefined
  /** The position of the failed check among the reads to verify. */
  readonly proof: number | undefined
  constructor(on: ConflictOn, change?: number, proof?: number) {
    super(`another change of the ${on} came first`)
    this.on = on
    this.change = change
    this.proof = proof
  }
}

/** How long work is repeated, and the pauses between two attempts. */
const patienceMs = 5_000
const backOff = { firstMs: 1, longestMs: 40, randomPart: 1 }

const counts: Record<ConflictOn, number> = { list: 0, item: 0, group: 0, login: 0, build: 0, key: 0, flow: 0 }

const subjects: Record<ConflictOn, string> = {
  list: 'list',
  item: 'item',
  group: 'identity group',
  login: 'login attempts',
  build: 'build of an index',
  key: 'idempotency key',
  flow: 'flow',
}

/** Metrics of the conflicts of these kinds in this process. */
export function conflictCounters(...on: readonly ConflictOn[]): Record<string, { help: string; read(): number }> {
  const counters = on.map((one) => {
    const help = `Changes computed again, because another change of the ${subjects[one]} came first.`
    return [`listd_${one}_conflicts_total`, { help, read: () => counts[one] }] as const
  })
  return Object.fromEntries(counters)
}

type RetryBounds = { most?: number; otherwise?: (last: Conflict) => Error; now?: () => number }

/**
 * Runs work that loads, checks, computes and commits, and repeats it from the beginning after a conflict of these kinds. The pauses are
 * short, random and growing, so that competitors do not conflict again.
 * @param work receives the number of conflicts so far
 * @param bounds.most the maximum number of attempts, instead of a time limit; `otherwise` is thrown after the last one
 * @param bounds.now a monotonic clock in milliseconds
 * @throws errors of the work; SERVICE_UNAVAILABLE if conflicts do not end within 5 s of the first one. Until then the work may have waited
 *   for its turn, however long.
 */
export async function retryOnConflict<T>(
  on: ConflictOn | readonly ConflictOn[],
  work: (failures: number) => Promise<T>,
  { most = Number.POSITIVE_INFINITY, otherwise, now = () => performance.now() }: RetryBounds = {},
): Promise<T> {
  let giveUpAt = Number.POSITIVE_INFINITY
  for (let failures = 0; ; failures++) {
    try {
      return await work(failures)
    } catch (error) {
      if (!(error instanceof Conflict) || ![on].flat().includes(error.on)) throw error
      counts[error.on]++
      // With a number of attempts, the time between two of them does not count.
      if (otherwise && failures + 1 >= most) throw otherwise(error)
      if (failures === 0) giveUpAt = now() + patienceMs
      if (!otherwise && now() > giveUpAt) throw unavailable(`conflicts on one ${error.on} did not end`)
    }
    if (failures > 0) await pause(backOffMs(backOff, failures - 1))
  }
}
