import { ratios } from '../../../test/support/load/statistics.ts'
import { alternate, type Pace } from '../../support/loads/pace.ts'
import { describeCpu, type Run } from '../../support/loads/runs.ts'
import { figure, print, rounded, spread } from '../../support/measures/report.ts'
import { type SearchWorld, startSearchWorld } from '../../support/worlds/search-world.ts'

const items = 200_000

/** Searches, compared with a get of an item; and creates with two searched indexes of 50 words, compared with creates without. */
export async function search(
  pace: Pace,
  { sizes = [items * pace.share] }: { sizes?: readonly number[] | undefined },
): Promise<void> {
  for (const count of sizes) {
    await using world = await startSearchWorld(count)
    print(`  ${rounded(count)} items of 20 words`)
    for (const connections of [1, 16]) await compareSearches(world, { connections, seconds: 3 * pace.share }, pace)
    for (const connections of [1, 16]) await compareCreates(world, { connections, seconds: 3 * pace.share }, pace)
  }
}

type Load = { connections: number; seconds: number }

async function compareSearches(world: SearchWorld, load: Load, { rounds }: Pace): Promise<void> {
  for (const [title, paths] of Object.entries(world.searches)) {
    await world.read(paths, load)
    const { subject, yardstick } = await alternate(rounds, {
      subject: () => world.read(paths, load),
      yardstick: () => world.read([world.item], load),
    })
    const p99 = (runs: readonly Run[]) => runs.map(({ p99Ms }) => p99Ms)
    const ratio = spread(ratios(p99(subject), p99(yardstick)), 1)
    figure(
      `${title}, ${load.connections} connections`,
      `p99 ${spread(p99(subject), 1)} ms, ${ratio} of that of a get; target <= 5`,
    )
    figure('  CPU of the search', describeCpu(subject))
    figure('  CPU of the get', describeCpu(yardstick))
  }
}

async function compareCreates(world: SearchWorld, load: Load, { rounds }: Pace): Promise<void> {
  await world.create('searched', load)
  await world.create('plain', load)
  const { subject, yardstick } = await alternate(rounds, {
    subject: () => world.create('searched', load),
    yardstick: () => world.create('plain', load),
  })
  const times = (runs: readonly Run[]) => runs.map(({ perSecond }) => 1 / perSecond)
  const ratio = spread(ratios(times(subject), times(yardstick)), 2)
  figure(
    `creates with 100 searched words, ${load.connections} connections`,
    `${ratio} of the time of one without; target <= 2`,
  )
  figure('  CPU of the create', describeCpu(subject))
  figure('  CPU of one without', describeCpu(yardstick))
}
