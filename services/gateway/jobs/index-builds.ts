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
import { buildTermBatch, readTermBuilds, type TermBuild } from '#shared/data/index-builds/term-builds.ts'
import { nextTermPurge, purgeTerms } from '#shared/data/index-builds/term-purge.ts'
import { nextValuePurge, purgeValues } from '#shared/data/index-builds/value-purge.ts'
import { startLeasedJob } from '#shared/data/leases/leased-job.ts'
import type { Hint } from '#shared/domain/realtime/hints.ts'
import type { Logger } from '#shared/log/logger.ts'

type Job = {
  db: Database
  announce: Announce
  /** Reports the progress of builds to its viewers. */
  hint(accountId: string, hints: readonly Hint[]): void
  log: Logger
  newId(): string
  /** Epoch milliseconds. */
  now(): number
}

/** How long a lease lasts, and how often gateways check for work: when one dies, another takes over after at most twice this time. */
const leaseMs = 5_000
/** The most builds that take turns; later ones wait. */
const maxBuilds = 100
/** The items of a batch, and the bytes of their data. */
const batchItems = { first: 20, least: 10, most: 1_000 }
const batchBytes = 1024 * 1024

/**
 * Builds indexes and words of stored items, and purges values and words that no index uses any more: in one gateway at a time, and
 * in batches so small that no writer waits long. All builds take turns.
 * @param options.onWake receives a function to call when there is something to build
 * @returns a function that stops the job
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
 * @returns a function that builds all waiting indexes and words, then purges old ones, until it is stopped. A build that meets an
 *   error waits for the next call; a purge continues where the previous call stopped.
 */
export function createIndexBuilds(job: Job): (shouldContinue: () => boolean) => Promise<void> {
  const pacer = createPacer(job.db, batchItems)
  const purges = [
    createPurge(pacer, {
      next: () => nextValuePurge(job.db),
      isSame: (one, other) => one.valuesId === other.valuesId,
      batch: (purge, items) => purgeValues(job.db, purge, items),
    }),
    createPurge(pacer, {
      next: () => nextTermPurge(job.db),
      isSame: (one, other) => one.termsId === other.termsId,
      batch: (purge, items) => purgeTerms(job.db, purge, items),
    }),
  ]
  return async (shouldContinue) => {
    await buildAll({ ...job, pacer }, shouldContinue)
    for (const purge of purges) await purge(shouldContinue)
  }
}

async function buildAll(job: Job & { pacer: Pacer }, shouldContinue: () => boolean): Promise<void> {
  const { db, log, pacer } = job
  const failing = new Set<string | number>()
  while (shouldContinue()) {
    const terms = (await readTermBuilds(db, maxBuilds)).filter(({ termsId }) => !failing.has(termsId))
    const builds = (await readBuilds(db, maxBuilds)).filter(({ index }) => !failing.has(index.valuesId))
    const others = builds.filter(({ index }) => !terms.some(({ listId }) => listId === index.listId))
    const steps = [
      ...terms.map((build) => ({
        id: build.termsId,
        of: { listId: build.listId },
        run: (items: number) => buildTerms(job, build, items),
      })),
      // A caller that waits for an index with `searching` waits for its words too.
      ...others.map((build) => ({
        id: build.index.valuesId,
        of: { indexId: build.index.id },
        run: (items: number) => buildOn(job, build, items),
      })),
    ]
    if (steps.length === 0) return
    for (const { id, of, run } of steps) {
      if (!shouldContinue()) return
      const batch = await run(pacer.size()).catch((error) => {
        log('index.build_interrupted', { err: error, ...of })
        failing.add(id)
        return noRows
      })
      await pacer.rest(batch)
    }
  }
}

type Purging<P> = {
  next(): Promise<P | null>
  isSame(one: P, other: P): boolean
  batch(purge: P, items: number): Promise<Batch & { position: P extends { from: infer From } ? From : never }>
}

function createPurge<P extends { from: unknown }>(pacer: Pacer, { next, isSame, batch }: Purging<P>) {
  let current: P | null = null
  return async (shouldContinue: () => boolean): Promise<void> => {
    while (shouldContinue()) {
      const found = await next()
      if (!found) return
      // Another gateway may have finished the purge that this one began.
      const purge = current && isSame(current, found) ? current : found
      current = purge
      await runBatches(pacer, shouldContinue, async (items) => {
        const result = await batch(purge, items)
        purge.from = result.position
        return result
      })
    }
  }
}

const noRows = { rows: 0, took: noTime }

/** Processes the next batch of a build, or ends it. */
async function buildOn(job: Job, build: IndexBuild, items: number): Promise<Omit<Batch, 'more'>> {
  try {
    const batch = await buildBatch(job.db, build, { items, bytes: batchBytes })
    if (batch.status === 'next') {
      const { id, listId, accountId } = build.index
      job.hint(accountId, [{ topic: 'indexes', listId, ids: [id] }])
      return batch
    }
    await end(job, build, batch.status === 'failed' ? batch.failure : null)
  } catch (error) {
    // The index or its list has changed, or another gateway has continued: the build is read again.
    if (!(error instanceof Conflict)) throw error
  }
  return noRows
}

/** Processes the next batch of a build of words. */
async function buildTerms(job: Job, build: TermBuild, items: number): Promise<Omit<Batch, 'more'>> {
  try {
    const batch = await buildTermBatch(job.db, build, { items, bytes: batchBytes })
    // All indexes of the list with `searching` share the words.
    job.hint(build.accountId, [{ topic: 'indexes', listId: build.listId, ids: [], more: true }])
    if (batch.status === 'next') return batch
    job.log('index.words_built', { listId: build.listId, items: build.done })
  } catch (error) {
    // The words of the list were replaced, or another gateway has continued.
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
