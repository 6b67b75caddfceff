import { type Batch, createPacer, type Pacer, runBatches } from '#shared/data/background/pacer.ts'
import { noTime } from '#shared/data/background/timed-transaction.ts'
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
import { nextValuePurge, purgeValues, type ValuePurge } from '#shared/data/index-builds/value-purge.ts'
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
/** The items of a batch, and the bytes of their data. */
const batchItems = { first: 20, least: 10, most: 1_000 }
const batchBytes = 1024 * 1024

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
  const build = createIndexBuilds(options)
  return startLeasedJob({
    db,
    log,
    owner,
    name: 'index-build',
    everyMs: leaseMs,
    leaseMs,
    firstAfterMs: 0,
    onWake: options.onWake,
    isDue: () => hasIndexWork(db),
    round: build,
  })
}

/**
 * @returns builds all indexes that are to be built, then purges old values, until it is told to stop. A build that meets an error
 *   waits for the next call; a purge goes on where the call before stopped.
 */
export function createIndexBuilds(job: Job): (shouldContinue: () => boolean) => Promise<void> {
  const pacer = createPacer(job.db, batchItems)
  const purge = createValuePurge(job.db, pacer)
  return async (shouldContinue) => {
    await buildAll({ ...job, pacer }, shouldContinue)
    await purge(shouldContinue)
  }
}

async function buildAll(job: Job & { pacer: Pacer }, shouldContinue: () => boolean): Promise<void> {
  const { db, log, pacer } = job
  const failing = new Set<string>()
  while (shouldContinue()) {
    const builds = (await readBuilds(db, maxBuilds)).filter(({ index }) => !failing.has(index.valuesId))
    if (builds.length === 0) return
    for (const build of builds) {
      if (!shouldContinue()) return
      const batch = await buildOn(job, build, pacer.size()).catch((error) => {
        log('index.build_interrupted', { err: error, indexId: build.index.id })
        failing.add(build.index.valuesId)
        return noRows
      })
      await pacer.rest(batch)
    }
  }
}

function createValuePurge(db: Database, pacer: Pacer): (shouldContinue: () => boolean) => Promise<void> {
  let current: ValuePurge | null = null
  return async (shouldContinue) => {
    while (shouldContinue()) {
      const next = await nextValuePurge(db)
      if (!next) return
      // Another gateway may have ended the purge that this one had begun.
      const purge: ValuePurge = current?.valuesId === next.valuesId ? current : next
      current = purge
      await runBatches(pacer, shouldContinue, async (items) => {
        const batch = await purgeValues(db, purge, items)
        purge.from = batch.position
        return batch
      })
    }
  }
}

const noRows = { rows: 0, took: noTime }

/** Does the next batch of a build, or ends it. */
async function buildOn(job: Job, build: IndexBuild, items: number): Promise<Omit<Batch, 'more'>> {
  try {
    const batch = await buildBatch(job.db, build, { items, bytes: batchBytes })
    if (batch.status === 'next') return batch
    await end(job, build, batch.status === 'failed' ? batch.failure : null)
  } catch (error) {
    // The index or its list has changed, or another gateway has gone on: the build is read again.
    if (!(error instanceof Conflict)) throw error
  }
  return noRows
}

async function end(job: Job, build: IndexBuild, failure: BuildFailure | null): Promise<void> {
  await endBuild(job, build, { failure, eventId: job.newId(), at: job.now() })
  const { id: indexId, listId } = build.index
  if (failure) job.log('index.build_failed', { indexId, listId, reason: failure.reason })
  else job.log('index.built', { indexId, listId, items: build.done })
}
