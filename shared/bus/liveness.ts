import type { NatsConnection } from 'nats'
import { succeedsWithin } from '#shared/time/time-limit.ts'

/** Whether the server answers a ping within `withinMs`. */
export async function isAlive(nats: NatsConnection, withinMs: number): Promise<boolean> {
  return !nats.isClosed() && (await succeedsWithin(nats.flush(), withinMs))
}
