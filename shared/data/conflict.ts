import { setTimeout as pause } from 'node:timers/promises'
import { unavailable } from '#shared/errors.ts'
import { backOffMs } from '#shared/time/back-off.ts'

/** What a change is computed from, and another change can make obsolete. */
type ConflictOn = 'list' | 'item' | 'group' | 'login' | 'build' | 'key' | 'flow'

/** Thrown when another change came first: what this one was computed from is gone, and nothing of it was written. */
export class Conflict extends Error {
  override readonly name = 'Conflict'
  readonly on: ConflictOn
  /** The index of the change that met it, among those that were to be committed together. */
  readonly change: number | undefined
  /** The index of the proof that failed, among those of what was read. */
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

/** Metrics of the conflicts on these that this process has met. */
export function conflictCounters(...on: readonly ConflictOn[]): Record<string, { help: string; read(): number }> {
  const counters = on.map((one) => {
    const help = `Changes computed again, because another change of the ${subjects[one]} came first.`
    return [`listd_${one}_conflicts_total`, { help, read: () => counts[one] }] as const
  })
  return Object.fromEntries(counters)
}

/**
 * Runs work that loads, checks, computes and commits; again, from the beginning, when it meets a conflict on one of these. The
 * pauses are short, random and growing, so that those who compete do not meet again.
 * @param work gets how often it has met a conflict
 * @param bounds.most how often it runs at most, in place of a time, and `otherwise` what is thrown then
 * @throws what the work throws; SERVICE_UNAVAILABLE when conflicts do not end in time
 */
export async function retryOnConflict<T>(
  on: ConflictOn | readonly ConflictOn[],
  work: (failures: number) => Promise<T>,
  { most = Number.POSITIVE_INFINITY, otherwise }: { most?: number; otherwise?: (last: Conflict) => Error } = {},
): Promise<T> {
  const giveUpAt = performance.now() + patienceMs
  for (let failures = 0; ; failures++) {
    try {
      return await work(failures)
    } catch (error) {
      if (!(error instanceof Conflict) || ![on].flat().includes(error.on)) throw error
      counts[error.on]++
      // Who has a number of attempts may wait long for the others between two of them.
      if (otherwise && failures + 1 >= most) throw otherwise(error)
      if (!otherwise && performance.now() > giveUpAt) throw unavailable(`conflicts on one ${error.on} did not end`)
    }
    if (failures > 0) await pause(backOffMs(backOff, failures - 1))
  }
}
