import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '#shared/data/database.ts'
import { addManyItems } from '../../../test/support/databases/contents/many-items.ts'
import { openTestDatabase } from '../../../test/support/databases/database.ts'
import { ratios } from '../../../test/support/load/statistics.ts'
import { monotonicMs } from '../../support/clock.ts'
import type { Pace } from '../../support/loads/pace.ts'
import { describeRuns, type Run } from '../../support/loads/runs.ts'
import { figure, rounded, spread } from '../../support/measures/report.ts'
import { type CreatesWorld, startCreatesWorld } from '../../support/worlds/creates-world.ts'

const items = 200_000

/** How long building an index of 200,000 items takes while 64 connections create items, and how many they create. */
export async function indexBuild({ share }: Pace): Promise<void> {
  await using world = await startCreatesWorld({ matches: false })
  const count = items * share
  const db = await openTestDatabase(world.listd.dataDir, { readers: 1 })
  const [listId = ''] = await world.account.makeLists(['many'])
  await addManyItems(db, { accountId: world.account.accountId, listId, count, dataLength: 1_024 })
  const load = { connections: 64, seconds: 3 * share }
  await world.create(load)
  const before = await world.create(load)
  await world.account.makeIndex('many', { pathName: 'whole', pointer: '', sorting: true, filtering: true })
  const during = await createUntilBuilt(world, db, load)
  const after = await world.create(load)
  await db.close()
  const seconds = during.tookMs / 1_000
  figure(
    'a build next to 64 writers',
    `${rounded(count)} items in ${rounded(seconds, 1)} s: ${rounded(count / seconds)} /s`,
  )
  const idle = (before.perSecond + after.perSecond) / 2
  const ratio = ratios(
    during.runs.map(({ perSecond }) => perSecond),
    during.runs.map(() => idle),
  )
  figure('  creates meanwhile', `${describeRuns(during.runs)}; ${spread(ratio, 2)} of those without a build`)
  figure('  creates without a build', describeRuns([before, after]))
}

async function createUntilBuilt(
  world: CreatesWorld,
  db: Database,
  load: { connections: number; seconds: number },
): Promise<{ tookMs: number; runs: Run[] }> {
  const startedAt = monotonicMs()
  const runs: Run[] = []
  const built = untilBuilt(db)
  let over = false
  void built.then(() => {
    over = true
  })
  while (!over) runs.push(await world.create(load))
  return { tookMs: (await built) - startedAt, runs }
}

/** @returns the monotonic time at which no build is left */
async function untilBuilt(db: Database): Promise<number> {
  while ((await db.all('select values_id from index_builds')).length > 0) await delay(50)
  return monotonicMs()
}
