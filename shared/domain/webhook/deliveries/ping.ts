import type { Actor } from '../../actor.ts'
import { payloadActor } from '../event-payload.ts'

/** The event type of a ping: requested by a user, sent once, about no item (specification, "Event types"). */
export const pingType = 'ping'

/** Whether a delivery is a ping: it has one attempt, and counts neither as waiting nor as a failure. */
export function isPing({ event }: { event: string }): boolean {
  return event === pingType
}

/** The body of a ping's delivery (contract 2.7): like an event's, with the webhook and the actor as data. */
export function pingPayload(ping: {
  id: string
  /** Epoch milliseconds. */
  createdAt: number
  webhook: { id: string; description: string }
  actor: Actor
}): string {
  const { id, createdAt, webhook, actor } = ping
  const data = { webhook: { id: webhook.id, description: webhook.description }, actor: payloadActor(actor) }
  return JSON.stringify({ id, type: pingType, createdAt: new Date(createdAt).toISOString(), data })
}

/** How long a ping waits to be sent: twice an attempt's time-out and 5 seconds (contract 2.7). */
export function pingTimeoutMs(timeoutMs: number): number {
  return 2 * timeoutMs + 5_000
}
