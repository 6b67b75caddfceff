import type { Logger } from '#shared/log/logger.ts'
import type { Database } from '../database.ts'
import { type Lease, releaseLease, takeLease } from './leases.ts'

export type LeasedJob = {
  db: Database
  log: Logger
  /** Of the lease: among all processes only one does the job at a time. */
  name: string
  /** This process run. */
  owner: string
  /** From the end of one round to the next. */
  everyMs: number
  /** How long the lease of a round holds; `everyMs` when not given. */
  leaseMs?: number
  firstAfterMs: number
  /** Asked before a lease is taken: a round without work then writes nothing. */
  isDue?(): Promise<boolean>
  /** Works in steps that can be repeated; before each it asks whether to go on: there is a next round for the rest. */
  round(goesOn: () => boolean): Promise<void>
}

/**
 * Does background work now and then, in one process at a time. A round that fails is logged and tried again at its next
 * time; one that outlives its lease ends, and who takes the lease goes on with the rest.
 * @returns stops it, and resolves when the step under way is done
 */
export function startLeasedJob(job: LeasedJob): () => Promise<void> {
  let stopped = false
  let running: Promise<void> = Promise.resolve()
  let timer = setTimeout(next, job.firstAfterMs)

  function next(): void {
    running = runRound(job, () => stopped).then(() => {
      if (!stopped) timer = setTimeout(next, job.everyMs)
    })
  }

  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}

async function runRound(job: LeasedJob, stopped: () => boolean): Promise<void> {
  const { db, log, name, owner, leaseMs = job.everyMs, isDue = always, round } = job
  let lease: Lease | null = null
  try {
    if (!(await isDue())) return
    lease = await takeLease(db, { name, owner, ms: leaseMs })
    const safeUntil = lease?.safeUntil ?? 0
    if (lease) await round(() => !stopped() && performance.now() < safeUntil)
  } catch (error) {
    log('job.failed', { err: error, job: name })
  } finally {
    if (lease) await releaseLease(db, lease).catch(() => {}) // it runs out by itself
  }
}

const always = async () => true
