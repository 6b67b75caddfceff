import type { Logger } from '#shared/log/logger.ts'
import type { Database } from '../database.ts'
import { type Lease, releaseLease, takeLease } from './leases.ts'

export type LeasedJob = {
  db: Database
  log: Logger
  /** The name of the lease: only one process at a time runs the job. */
  name: string
  /** Identifies this run of the process. */
  owner: string
  /** The time between two rounds. */
  everyMs: number
  /** How long a round's lease lasts; `everyMs` by default. */
  leaseMs?: number
  firstAfterMs: number
  /** Receives a function that starts the next round at once, or right after the current one. */
  onWake?(wake: () => void): void
  /** Called before a lease is acquired, so that a round without work writes nothing. */
  isDue?(): Promise<boolean>
  /**
   * The milliseconds until there is work; null: unknown. Called before a round instead of `isDue`, and after a round: the next one starts
   * at that time if `everyMs` would be later.
   */
  dueInMs?(): Promise<number | null>
  /**
   * Works in repeatable batches, and checks before each whether to continue. If its lease has expired, the next round acquires it again at
   * once, and does the rest.
   */
  round(shouldContinue: () => boolean): Promise<void>
}

/**
 * Runs background work periodically, in one process at a time. A failed round is logged, and the next one tries again.
 * @returns a function that stops the job and resolves when the current batch is done
 */
export function startLeasedJob(job: LeasedJob): () => Promise<void> {
  let stopped = false
  let woken = false
  let running: Promise<void> | null = null
  let timer = setTimeout(next, job.firstAfterMs)

  function next(): void {
    woken = false
    running = runRound(job, () => stopped).then((waitMs) => {
      running = null
      if (!stopped) timer = setTimeout(next, woken ? 0 : waitMs)
    })
  }

  job.onWake?.(() => {
    woken = true
    if (stopped || running) return
    clearTimeout(timer)
    next()
  })

  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}

/** @returns the milliseconds until the next round */
async function runRound(job: LeasedJob, stopped: () => boolean): Promise<number> {
  const { db, log, name, owner, leaseMs = job.everyMs, round } = job
  let lease: Lease | null = null
  try {
    if (await isDue(job)) {
      lease = await takeLease(db, { name, owner, ms: leaseMs })
      const safeUntil = lease?.safeUntil ?? 0
      if (lease) {
        await round(() => !stopped() && performance.now() < safeUntil)
        if (performance.now() >= safeUntil) return 0
      }
    }
    return await untilNextRound(job)
  } catch (error) {
    log('job.failed', { err: error, job: name })
    return job.everyMs
  } finally {
    if (lease) await releaseLease(db, lease).catch(() => {}) // it expires on its own
  }
}

async function isDue(job: LeasedJob): Promise<boolean> {
  if (job.dueInMs === undefined) return (await job.isDue?.()) ?? true
  const ms = await job.dueInMs()
  return ms !== null && ms <= 0
}

/** How soon to check again for due work that another process is doing, or that this one could not do. */
const overdueMs = 5_000

async function untilNextRound({ dueInMs, everyMs }: LeasedJob): Promise<number> {
  const ms = (await dueInMs?.()) ?? everyMs
  return Math.min(everyMs, ms > 0 ? ms : overdueMs)
}
