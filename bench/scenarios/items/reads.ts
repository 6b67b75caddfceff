import { alternate, type Pace } from '../../support/loads/pace.ts'
import { reportRuns } from '../../support/loads/runs.ts'
import { figure, print, rounded } from '../../support/measures/report.ts'
import { type ReadsWorld, startReadsWorld } from '../../support/worlds/reads-world.ts'

const [few, many] = [1_000, 200_000]

/** An item and a page of 20, compared with bare hapi routes of the same bytes, and a page of a list 200 times as long. */
export async function reads(pace: Pace): Promise<void> {
  const counts = { few, many: many * pace.share }
  await using world = await startReadsWorld(counts)
  const { item, fewPage, manyPage } = world.paths
  for (const path of [item, fewPage, manyPage]) await warmUp(world, path, pace)
  for (const connections of [16, 64]) {
    print(`  ${connections} connections`)
    const load = { connections, seconds: 3 * pace.share }
    await againstBare(world, { title: 'get an item of 1 KB', path: item, load, target: '; target >= 0.35' }, pace)
    await againstBare(world, { title: `page of 20 of ${rounded(few)}`, path: fewPage, load, target: '' }, pace)
    reportRuns(
      await alternate(pace.rounds, {
        subject: () => world.read(manyPage, load),
        yardstick: () => world.read(fewPage, load),
      }),
      {
        title: `page of 20 of ${rounded(counts.many)}`,
        names: ['the long list', 'the short list'],
        of: `the same of ${rounded(few)}`,
      },
    )
  }
}

/** Lets both be compiled, so that no figure contains the slow first seconds. */
async function warmUp(world: ReadsWorld, path: string, { share }: Pace): Promise<void> {
  const load = { connections: 16, seconds: 2 * share }
  await world.read(path, load)
  await world.bare(path, load)
}

type Read = { title: string; path: string; load: { connections: number; seconds: number }; target: string }

async function againstBare(world: ReadsWorld, { title, path, load, target }: Read, { rounds }: Pace): Promise<void> {
  const runs = await alternate(rounds, {
    subject: () => world.read(path, load),
    yardstick: () => world.bare(path, load),
  })
  figure(title, `${rounded(world.bytesOf(path))} bytes`)
  reportRuns(runs, {
    title: '  answers',
    names: ['listd', 'bare hapi'],
    of: `a bare hapi GET of the same bytes${target}`,
  })
}
