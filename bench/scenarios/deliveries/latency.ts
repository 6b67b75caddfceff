import { testBackend } from '../../../test/support/databases/database.ts'
import { alternate, type Pace } from '../../support/loads/pace.ts'
import {
  creations,
  creationsAtListd,
  describeRuns,
  reportStretch,
  timeEvents,
} from '../../support/measures/event-times.ts'
import { figure, print } from '../../support/measures/report.ts'
import type { BareRelay } from '../../support/programs/bare-relay.ts'
import { startProgram } from '../../support/programs/program.ts'
import { startWebhookWorld, webhookCount } from '../../support/worlds/webhook-world.ts'

const perSecond = 200
const runSeconds = 10
const warmUpSeconds = 3

/**
 * The time from a create until its event is at the receiver, at 200 a second in all over 50 webhooks of a list each, compared
 * with a hapi route that forwards the body and stores nothing.
 */
export async function latency({ rounds, share }: Pace): Promise<void> {
  await using world = await startWebhookWorld()
  const { receiver, webhooks } = world
  const secrets = webhooks.map(({ secret }) => secret)
  const options = { origin: receiver.origin, ca: receiver.ca, secrets }
  await using relay = await startProgram<BareRelay>('bare-relay.ts', options)
  const [listd, bare] = [
    creationsAtListd(world),
    creations(world, { origin: relay.ready.origin, path: (n) => `/${n}` }),
  ]
  const measured = (seconds: number) => ({
    subject: () => timeEvents(world, { ...listd, perSecond, seconds }),
    yardstick: () => timeEvents(world, { ...bare, perSecond, seconds }),
  })
  await alternate(1, measured(warmUpSeconds * share))
  const times = await alternate(rounds, measured(runSeconds * share))
  print(
    '  one clock; a request is sent when undici gets it, answered when its answer is read, received when the receiver',
  )
  print('  has read its last byte; the commit comes between sending and answer')
  const runs = describeRuns(times.subject)
  figure('load', `${perSecond} events/s in all, open loop, over ${webhookCount} webhooks; ${runs}`)
  const than = 'bare relay'
  // Every stretch includes the time of a database server for a commit.
  const [p50, p99] = testBackend === 'sqlite' ? [8, 4] : [16, 8]
  reportStretch(times, { stretch: 'fromAnswer', than, targets: [`; target <= ${p50}`, `; target <= ${p99}`] })
  for (const stretch of ['fromSend', 'answer'] as const) reportStretch(times, { stretch, than })
}
