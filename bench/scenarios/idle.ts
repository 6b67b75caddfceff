import { sum } from '../../test/support/load/statistics.ts'
import { sleep } from '../support/clock.ts'
import type { Pace } from '../support/loads/pace.ts'
import { watchUse } from '../support/measures/event-costs.ts'
import { figure, rounded } from '../support/measures/report.ts'
import { untilNothingWaits } from '../support/worlds/queues.ts'
import { startWebhookWorld, type WebhookWorld, webhookCount } from '../support/worlds/webhook-world.ts'

const webhooks = 1_000
/** A URL is probed when its webhook is created, and the number of concurrent probes is limited. */
const atOnce = 25
const seconds = 60
/** Connections to receivers are closed when they have been unused for a minute. */
const settledSeconds = 80
/** Of a second; a thread that used less is not printed. */
const leastMicros = 5
/** The default price plans allow fewer webhooks. */
const settings = { LISTD_PLANS: '{"scale":{"name":"Scale","maxWebhooks":null}}' }

/** The usage of each process while idle, with 1,000 webhooks that have received an event: CPU by thread, context switches. */
export async function idle({ rounds, share }: Pace): Promise<void> {
  await using world = await startWebhookWorld(settings)
  await addWebhooks(world, webhooks - webhookCount)
  for (const { pathName } of world.lists) await world.account.createItem(pathName, 'first')
  await untilNothingWaits(world.listd.dataDir)
  await sleep(settledSeconds * 1_000)
  for (let round = 0; round < rounds; round++) await report(world, seconds * share)
}

async function addWebhooks({ account, lists, receiver }: WebhookWorld, count: number): Promise<void> {
  const url = `${receiver.origin}/hook`
  for (let created = 0; created < count; created += atOnce) {
    const listIds = Array.from(
      { length: Math.min(atOnce, count - created) },
      (_, n) => lists[n % lists.length]?.id ?? '',
    )
    await Promise.all(listIds.map((listId) => account.makeWebhook({ url, listIds: [listId] })))
  }
}

async function report({ listd }: WebhookWorld, forSeconds: number): Promise<void> {
  const used = watchUse(listd)
  await sleep(forSeconds * 1_000)
  const uses = Object.entries(used.each(forSeconds))
  const all = sum(uses.flatMap(([, { cpuMicros }]) => Object.values(cpuMicros)))
  figure(`${rounded(webhooks)} webhooks, ${rounded(forSeconds)} s, nothing`, `${percent(all)} of a core`)
  for (const [name, { cpuMicros, switches }] of uses) {
    if (switches === 0) continue
    const threads = Object.entries(cpuMicros)
      .filter(([, micros]) => micros >= leastMicros)
      .map(([thread, micros]) => `${thread} ${percent(micros)}`)
    const micros = sum(Object.values(cpuMicros))
    figure(`  ${name}`, `${percent(micros)} (${threads.join(', ')}), ${rounded(switches, 1)} context switches a second`)
  }
}

function percent(microsPerSecond: number): string {
  return `${rounded(microsPerSecond / 10_000, 3)} %`
}
