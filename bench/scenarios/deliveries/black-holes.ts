import { alternate, type Pace } from '../../support/loads/pace.ts'
import {
  creationsAtListd,
  describeRuns,
  reportStretch,
  type Times,
  timeEvents,
} from '../../support/measures/event-times.ts'
import { figure, rounded, spread } from '../../support/measures/report.ts'
import { type BlackHoles, startBlackHoles } from '../../support/worlds/black-holes.ts'
import { startWebhookWorld, webhookCount } from '../../support/worlds/webhook-world.ts'

/** As many as an installation may well have, and more than there are slots for them. */
const counts = [40, 200]
const perSecond = 200
const seconds = 10
/** Attempts of new webhooks hold fast slots until they have lasted for 2 s. */
const firstSeconds = 3
/** The default price plans allow fewer webhooks. */
const settings = { LISTD_PLANS: '{"scale":{"name":"Scale","maxWebhooks":null}}' }

type NextToHoles = { first: Times; then: Times; swallowed: number }

/**
 * The time from a create until its event is at the receiver, over 50 webhooks, while events also go to 40 webhooks, then to
 * 200, whose server accepts every request and never answers; compared with the same without those.
 */
export async function blackHoles({ rounds, share }: Pace): Promise<void> {
  await using world = await startWebhookWorld(settings)
  const time = (forSeconds: number) => timeEvents(world, { ...creationsAtListd(world), perSecond, seconds: forSeconds })

  async function timeNextToHoles(holes: BlackHoles): Promise<NextToHoles> {
    const before = await holes.swallowed()
    await holes.setActive(true)
    const first = await time(firstSeconds)
    const then = await time(seconds * share)
    const swallowed = (await holes.swallowed()) - before
    await holes.setActive(false)
    return { first, then, swallowed }
  }

  await time(firstSeconds)
  for (const count of counts) {
    await using holes = await startBlackHoles(world, count)
    const ways = { subject: () => timeNextToHoles(holes), yardstick: () => time(seconds * share) }
    report(count, await alternate(rounds, ways))
  }
}

function report(count: number, { subject, yardstick }: { subject: NextToHoles[]; yardstick: Times[] }): void {
  const [first, then] = [subject.map((times) => times.first), subject.map((times) => times.then)]
  const swallowed = spread(subject.map((times) => times.swallowed))
  figure('load', `${perSecond} events/s in all, open loop, over ${webhookCount} webhooks; ${describeRuns(then)}`)
  figure('black holes', `${rounded(count)}, which accepted ${swallowed} requests a run and answered none`)
  const than = 'without black holes'
  for (const stretch of ['fromAnswer', 'fromSend', 'answer'] as const) {
    reportStretch({ subject: then, yardstick }, { stretch, than })
  }
  figure(
    'their first attempts',
    `the ${firstSeconds} s after their activation, in which they hold the slots of all others`,
  )
  reportStretch({ subject: first, yardstick }, { stretch: 'fromAnswer', than })
}
