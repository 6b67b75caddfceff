import { setTimeout as pause } from 'node:timers/promises'
import { firstBatch, nextBatchSize, pauseAfter } from '#shared/data/batch-size.ts'
import { Conflict } from '#shared/data/conflict.ts'
import type { Database } from '#shared/data/database.ts'
import type { Announce } from '#shared/data/events/committed.ts'
import { buildBatch } from '#shared/data/index-builds/batch.ts'
import {
  type BuildFailure,
  endBuild,
  hasIndexWork,
  type IndexBuild,
  readBuilds,
} from '#shared/data/index-builds/builds.ts'
import { purgeValues } from '#shared/data/index-builds/value-purge.ts'
import { startLeasedJob } from '#shared/data/leases/leased-job.ts'
import type { Logger } from '#shared/log/logger.ts'

type Job = {
  db: Database
  announce: Announce
  log: Logger
  newId(): string
  /** Epoch milliseconds. */
  now(): number
}

/** How long a lease lasts, and how often gateways look: when one dies, another one takes over after twice this time at most. */
const leaseMs = 5_000
/** Builds that take turns; later ones wait. */
const maxBuilds = 100

/**
 * Builds indexes over stored items, and purges the values that no index has any more: in one gateway at a time, and in
 * batches so small that no writer waits long. All builds take turns.
 * @param options.onWake given a function to call when there is something to build
 * @returns stops the job
 */
export function startIndexBuilds(
  options: Job & { owner: string; onWake(wake: () => void): void },
): () => Promise<void> {
  const { db, log, owner } = options
  let wake = () => {}
  return startLeasedJob({
    db,
    log,
    owner,
    name: 'index-build',
    everyMs: leaseMs,
    leaseMs,
    firstAfterMs: 0,
    onWake(start) {
      wake = start
      options.onWake(start)
    },
    isDue: () => hasIndexWork(db),
    async round(shouldContinue) {
      await buildIndexes(options, shouldContinue)
      // The lease has expired before the work was done: take it again.
      if (!shouldContinue()) wake()
    },
  })
}

/** Builds all indexes that are to be built, then purges old values. A build that meets an error waits for the next round. */
export async function buildIndexes(job: Job, shouldContinue: () => boolean): Promise<void> {
  const failing = new Set<string>()
  let { items } = firstBatch
  while (shouldContinue()) {
    const builds = (await readBuilds(job.db, maxBuilds)).filter(({ index }) => !failing.has(index.valuesId))
    if (builds.length === 0) break
    for (const build of builds) {
      if (!shouldContinue()) return
      const heldMs = await buildOn(job, build, items).catch((error) => {
        job.log('index.build_interrupted', { err: error, indexId: build.index.id })
        failing.add(build.index.valuesId)
        return 0
      })
      items = nextBatchSize(items, heldMs)
      await rest(job, heldMs)
    }
  }
  while (shouldContinue()) {
    const purged = await purgeValues(job.db, items)
    if (!purged) return
    items = nextBatchSize(items, purged.heldMs)
    await rest(job, purged.heldMs)
  }
}

async function rest({ db }: Job, heldMs: number): Promise<void> {
  await db.checkpoint() // otherwise one of the next writers would have to, for many batches at once
  await pause(pauseAfter(heldMs))
}

/**
 * Does the next batch of a build, or ends it.
 * @returns for how many milliseconds rows were locked
 */
async function buildOn(job: Job, build: IndexBuild, items: number): Promise<number> {
  try {
    const batch = await buildBatch(job.db, build, { items, bytes: firstBatch.bytes })
    if (batch.status === 'next') return batch.heldMs
    await end(job, build, batch.status === 'failed' ? batch.failure : null)
  } catch (error) {
    // The index or its list has changed, or another gateway has gone on: the build is read again.
    if (!(error instanceof Conflict)) throw error
  }
  return 0
}

async function end(job: Job, build: IndexBuild, failure: BuildFailure | null): Promise<void> {
  await endBuild(job, build, { failure, eventId: job.newId(), at: job.now() })
  const { id: indexId, listId } = build.index
  if (failure) job.log('index.build_failed', { indexId, listId, reason: failure.reason })
  else job.log('index.built', { indexId, listId, items: build.done })
}
