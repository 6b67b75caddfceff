import { quantile } from '../../../test/support/load/statistics.ts'
import { alternate, type Pace } from '../../support/loads/pace.ts'
import { figure, rounded, spread } from '../../support/measures/report.ts'
import { timeWrites, type WriteTimes } from '../../support/measures/write-times.ts'
import type { CreatesWorld } from '../../support/worlds/creates-world.ts'

/** How long a write of another process waits under the load, compared with the idle service. */
export async function compareWrites(world: CreatesWorld, { rounds, share }: Pace): Promise<void> {
  const seconds = 3 * share
  const runs = await alternate(rounds, {
    async subject() {
      const load = world.create({ connections: 64, seconds })
      const [times] = await Promise.all([timeWrites(world.listd.dataDir, seconds), load])
      return times
    },
    yardstick: () => timeWrites(world.listd.dataDir, seconds / 2),
  })
  reportWrites(runs, 'a transaction of one row next to 64 connections, and without them:')
}

/** @param what the measured writes and their load, as text */
export function reportWrites(runs: { subject: WriteTimes[]; yardstick: WriteTimes[] }, what: string): void {
  const { subject, yardstick } = runs
  figure("another process's write", what)
  for (const name of ['lockMs', 'doneMs'] as const) {
    const target = name === 'doneMs' ? '; target p99 <= 25' : ''
    figure(
      `  ${name === 'lockMs' ? 'has the lock' : 'is committed'} after`,
      compareTimes(subject, yardstick, name) + target,
    )
  }
}

function compareTimes(
  subject: readonly WriteTimes[],
  yardstick: readonly WriteTimes[],
  name: keyof WriteTimes,
): string {
  const at = (runs: readonly WriteTimes[], share: number) => runs.map((run) => quantile(run[name], share))
  const [p50, p99] = [spread(at(subject, 0.5), 1), spread(at(subject, 0.99), 1)]
  const [idle50, idle99] = [spread(at(yardstick, 0.5), 1), spread(at(yardstick, 0.99), 1)]
  const writes = subject.map((run) => run[name].length)
  return `p50 ${p50} ms, p99 ${p99} ms of ${rounded(Math.min(...writes))}+ writes a run; idle p50 ${idle50}, p99 ${idle99}`
}
