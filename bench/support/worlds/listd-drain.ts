import { monotonicMs, sleep } from '../clock.ts'
import { untilNothingWaits } from './queues.ts'
import type { Receiver } from './receiver.ts'
import { type Backlog, seedBacklog } from './seed.ts'
import type { WebhookWorld } from './webhook-world.ts'

/** Deliveries become due this long after seeding has begun, when all of them have been written; as long as the machine needs. */
let leadMs = 5_000

/** When sending was started, and when the last bytes of the first and of the last request arrived. */
export type Drain = { startedAt: number; firstAt: number; lastAt: number }

/** Begins to measure processes; the returned function ends the measurement. */
export type Measure<T> = () => Promise<() => Promise<T>>

/**
 * Lets listd send `count` deliveries that become due at the same time.
 * @param options.maxWaiting deliveries of each webhook; the others are held
 * @param options.measure measures from just before they are due until their last outcome is written
 */
export async function drainListd<T>(
  world: WebhookWorld,
  { count, measure, maxWaiting }: { count: number; measure: Measure<T>; maxWaiting?: number },
): Promise<{ drain: Drain; backlog: Backlog; measured: T }> {
  const { listd, receiver } = world
  const { backlog, dueAt } = await seedInTime(world, { count, ...(maxWaiting !== undefined && { maxWaiting }) })
  await sleep(Math.max(0, dueAt - Date.now() - 100))
  await receiver.forget()
  const measured = await measure()
  const drain = await timeDrain(receiver, { count, start: () => sleep(Math.max(0, dueAt - Date.now())) })
  await untilNothingWaits(listd.dataDir)
  return { drain, backlog, measured: await measured() }
}

/** Seeds again, with more time, when the first deliveries became due before the last were written. */
async function seedInTime(
  world: WebhookWorld,
  seeding: { count: number; maxWaiting?: number },
): Promise<{ backlog: Backlog; dueAt: number }> {
  const { listd, account, webhooks } = world
  for (;;) {
    const dueAt = Date.now() + leadMs
    const backlog = await seedBacklog(world, { ...seeding, dueAt })
    // On a ping the dispatcher looks for due deliveries, and finds out when the next one is due.
    if (webhooks[0]) await account.ping(webhooks[0])
    if (Date.now() < dueAt - 200) return { backlog, dueAt }
    leadMs *= 2
    await untilNothingWaits(listd.dataDir)
  }
}

/** Starts the sending of `count` events, and waits until they have been received. @throws Error when there are more */
export async function timeDrain(
  receiver: Receiver,
  { count, start }: { count: number; start(): Promise<void> },
): Promise<Drain> {
  await start()
  const startedAt = monotonicMs()
  const receipts = await receiver.take(count)
  if (receipts.length !== count) throw new Error(`${receipts.length} receipts of ${count} deliveries`)
  const times = receipts.map(({ at }) => at)
  return { startedAt, firstAt: Math.min(...times), lastAt: Math.max(...times) }
}
