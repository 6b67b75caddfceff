import type { NatsConnection } from 'nats'
import { succeedsWithin } from './waits.ts'

/** Whether the server answers a ping within `withinMs`. */
export async function isAlive(nats: NatsConnection, withinMs: number): Promise<boolean> {
  return !nats.isClosed() && (await succeedsWithin(withinMs, nats.flush()))
}
