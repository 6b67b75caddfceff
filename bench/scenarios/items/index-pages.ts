import { ratios } from '../../../test/support/load/statistics.ts'
import { alternate, type Pace } from '../../support/loads/pace.ts'
import { describeCpu, type Run, reportRuns } from '../../support/loads/runs.ts'
import { figure, print, rounded, spread } from '../../support/measures/report.ts'
import { type IndexedWorld, startIndexedWorld } from '../../support/worlds/indexed-world.ts'

const items = 200_000

/** Pages of 20 that filter and order by the values of an index, compared with a get of an item, and with bare hapi. */
export async function indexPages(pace: Pace): Promise<void> {
  const count = items * pace.share
  await using world = await startIndexedWorld(count)
  print(`  ${rounded(count)} items with 1,000 values, so that a value is that of ${rounded(count / 1_000)}`)
  const load = { connections: 16, seconds: 3 * pace.share }
  for (const path of [world.item, ...Object.values(world.pages)]) await world.read(path, load)
  for (const [title, path] of Object.entries(world.pages)) {
    await againstGet(world, { title, path, load }, pace)
  }
  const { path, bytes, bare } = world.compared
  reportRuns(
    await alternate(pace.rounds, {
      subject: () => world.read(path, load),
      yardstick: () => bare(load),
    }),
    {
      title: 'answers of the one by cursor',
      names: ['listd', 'bare hapi'],
      of: `a bare hapi GET of the same ${rounded(bytes)} bytes`,
    },
  )
}

type Page = { title: string; path: string; load: { connections: number; seconds: number } }

async function againstGet(world: IndexedWorld, { title, path, load }: Page, { rounds }: Pace): Promise<void> {
  const { subject, yardstick } = await alternate(rounds, {
    subject: () => world.read(path, load),
    yardstick: () => world.read(world.item, load),
  })
  const p99 = (runs: readonly Run[]) => runs.map(({ p99Ms }) => p99Ms)
  const ratio = ratios(p99(subject), p99(yardstick))
  figure(title, `p99 ${spread(p99(subject), 1)} ms, ${spread(ratio, 1)} of that of a get; target <= 4`)
  figure('  CPU of the page', describeCpu(subject))
  figure('  CPU of the get', describeCpu(yardstick))
}
