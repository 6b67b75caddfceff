import { testBackend } from '../../../test/support/databases/database.ts'
import { alternate, type Pace } from '../../support/loads/pace.ts'
import { reportRuns, warmUp } from '../../support/loads/runs.ts'
import { print } from '../../support/measures/report.ts'
import { type CreatesWorld, startCreatesWorld } from '../../support/worlds/creates-world.ts'
import { compareWrites } from './write-waits.ts'

const loads = [
  { connections: 1, target: null },
  { connections: 16, target: 0.1 },
  { connections: 64, target: testBackend === 'sqlite' ? 0.2 : 0.15 },
] as const

const variants = [
  { matches: false, title: 'no webhook matches the events' },
  { matches: true, title: 'one webhook gets every event' },
] as const

/**
 * Creates with token check, schema, two indexes, 1 KB of data, event, payload and outbox while all processes run, compared
 * with a bare hapi route that gets the same requests.
 */
export async function creates(pace: Pace): Promise<void> {
  for (const { matches, title } of variants) {
    await using world = await startCreatesWorld({ matches })
    print(`  ${title}`)
    for (const run of [world.create, world.bare]) await warmUp(run, pace)
    for (const load of loads) await compare(world, load, pace)
    if (!matches) await compareWrites(world, pace)
  }
}

async function compare(
  world: CreatesWorld,
  { connections, target }: (typeof loads)[number],
  pace: Pace,
): Promise<void> {
  const load = { connections, seconds: 3 * pace.share }
  const runs = await alternate(pace.rounds, {
    subject: () => world.create(load),
    yardstick: () => world.bare(load),
  })
  reportRuns(runs, {
    title: `${connections} connections`,
    names: ['creates', 'bare hapi'],
    of: `a bare hapi POST${target === null ? '' : `; target >= ${target}`}`,
  })
}
