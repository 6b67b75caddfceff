import { setTimeout as pause } from 'node:timers/promises'
import { createEventSweep } from '#services/webhook-dispatcher/jobs/event-retention.ts'
import { createPacer } from '#shared/data/background/pacer.ts'
import type { Database } from '#shared/data/database.ts'
import { openTestDatabase } from '../../../test/support/databases/database.ts'
import { median } from '../../../test/support/load/statistics.ts'
import { monotonicMs } from '../../support/clock.ts'
import type { Pace } from '../../support/loads/pace.ts'
import type { Run } from '../../support/loads/runs.ts'
import { figure, rounded } from '../../support/measures/report.ts'
import { startCreatesWorld } from '../../support/worlds/creates-world.ts'

const perBatch = 1_000

/**
 * How many old entries of the event log are deleted a second, compared with how many events batches write: without other writes, and
 * during such batches.
 */
export async function retention({ rounds, share }: Pace): Promise<void> {
  await using world = await startCreatesWorld({ matches: false })
  const seconds = 4 * share
  const write = () => world.createBatches({ connections: 2, seconds }, perBatch)
  await write()
  const written: Run[] = []
  while (written.length < rounds) written.push(await write())
  const perSecond = median(written.map((run) => run.perSecond)) * perBatch
  figure('batches alone', `${rounded(perSecond)} events/s`)
  const db = await openTestDatabase(world.listd.dataDir, { readers: 1 })
  /** Writes entries and deletes their items, so that all of the entries may be deleted. */
  const growOld = async () => {
    await write()
    await db.run('delete from items')
    await pause(oldAfterMs)
  }
  try {
    await growOld()
    const alone = await deleteFor(db, seconds)
    figure(
      'deleted alone',
      `${rate(alone)}, ${rounded(alone.perSecond / perSecond, 2)} of what batches write; target >= 1`,
    )
    await growOld()
    await growOld()
    const [run, during] = await Promise.all([write(), pause(200).then(() => deleteFor(db, seconds - 0.4))])
    figure('deleted during batches', `${rate(during)}; they write ${rounded(run.perSecond * perBatch)} events/s then`)
  } finally {
    await db.close()
  }
}

const oldAfterMs = 1_000

type Deleted = { deleted: number; perSecond: number; micros: number }

const rate = ({ deleted, perSecond, micros }: Deleted) =>
  `${rounded(perSecond)} events/s of ${rounded(deleted)}, ${rounded(micros)} µs of CPU each`

/** Deletes entries older than a second, as the dispatcher does. */
async function deleteFor(db: Database, seconds: number): Promise<Deleted> {
  let deleted = 0
  const sweep = createEventSweep({
    db,
    pacer: createPacer(db, { first: 50, least: 25, most: 2_000 }),
    until: async () => (await db.now()) - oldAfterMs,
    versionsOf: async () => 100,
    onDeleted: (rows) => (deleted += rows),
  })
  const [startedAt, before] = [monotonicMs(), process.cpuUsage()]
  await sweep(() => monotonicMs() < startedAt + seconds * 1_000)
  const { user, system } = process.cpuUsage(before)
  return { deleted, perSecond: (deleted * 1_000) / (monotonicMs() - startedAt), micros: (user + system) / deleted }
}
