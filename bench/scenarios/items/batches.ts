import { ratios } from '../../../test/support/load/statistics.ts'
import { alternate, type Pace } from '../../support/loads/pace.ts'
import { describeRuns } from '../../support/loads/runs.ts'
import { figure, spread } from '../../support/measures/report.ts'
import { startCreatesWorld } from '../../support/worlds/creates-world.ts'

const perBatch = 1_000

/**
 * Items a second that batches of 1,000 create on two connections, compared with single creates on 64: a service that has been sent
 * nothing more has nothing to do while an answer travels.
 */
export async function batches({ rounds, share }: Pace): Promise<void> {
  await using world = await startCreatesWorld({ matches: false })
  const seconds = 5 * share
  const batch = () => world.createBatches({ connections: 2, seconds }, perBatch)
  const singles = () => world.create({ connections: 64, seconds })
  await batch()
  await singles()
  const { subject, yardstick } = await alternate(rounds, { subject: batch, yardstick: singles })
  const items = subject.map(({ perSecond }) => perSecond * perBatch)
  const ratio = ratios(
    items,
    yardstick.map(({ perSecond }) => perSecond),
  )
  figure('items in batches', `${spread(items)} /s, ${spread(ratio, 2)} of single creates; target >= 2.5`)
  figure('  batches', describeRuns(subject))
  figure('  single creates', describeRuns(yardstick))
}
