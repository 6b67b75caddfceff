import type { Actor } from '../actor.ts'

/** The event type of a ping: asked for by a user, sent once, of no item (specification, "Event types"). */
export const pingType = 'ping'

/** Whether a delivery is a ping: it has one attempt, and neither waiting nor the run of failures counts it. */
export function isPing({ event }: { event: string }): boolean {
  return event === pingType
}

/** The body of a ping's delivery (contract 2.7): like an event's, its data tells the webhook and who asked. */
export function pingPayload(ping: {
  id: string
  /** Epoch milliseconds. */
  createdAt: number
  webhook: { id: string; description: string }
  actor: Actor
}): string {
  const { id, createdAt, webhook, actor } = ping
  const data = { webhook: { id: webhook.id, description: webhook.description }, actor }
  return JSON.stringify({ id, type: pingType, createdAt: new Date(createdAt).toISOString(), data })
}

/** How long a ping waits for its turn: twice an attempt's time-out and 5 seconds (contract 2.7). */
export function pingTimeoutMs(timeoutMs: number): number {
  return 2 * timeoutMs + 5_000
}
