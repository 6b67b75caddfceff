import type { ItemEventType } from './webhook.ts'

/** A committed change that waits to be given to webhooks. */
export type OutboxEvent = {
  eventId: string
  accountId: string
  requestId: string
  /** The account's webhook epoch when the change was committed. */
  webhookEpoch: number
  type: ItemEventType
  listId: string
  itemId: string
}

/** What an active webhook is set to. */
export type ListenerSettings = {
  webhookId: string
  accountId: string
  events: readonly ItemEventType[]
  listIds: readonly string[]
  /** The account's webhook epoch at which this webhook last became active. */
  activeEpoch: number
}

/** What fan-out needs to know of an active webhook. */
export type Listener = ListenerSettings & { waiting: number; backlogFull: boolean }

export type FanOut = {
  /** The events that were given out, a prefix of those offered. */
  taken: OutboxEvent[]
  deliveries: { webhookId: string; event: OutboxEvent }[]
  heads: {
    webhookId: string
    accountId: string
    added: number
    missed: number
    backlogFull: boolean
    backlogBegan: boolean
  }[]
  /** Events that no webhook gets: their payload can go. */
  unheard: string[]
}

/**
 * Gives events to webhooks: those that were active when the event was committed, list its type, and are set to its list.
 * A webhook with `maxWaiting` waiting deliveries is given no more; what it misses is counted (specification, Limits;
 * contract 2.7). An episode begins with the first one missed and ends when half of them are sent: at the bound one is sent
 * and one missed in turn, and each would begin another. Stops before an event that would take it past `maxDeliveries`.
 */
export function planFanOut(
  events: readonly OutboxEvent[],
  listeners: readonly Listener[],
  limits: { maxWaiting: number; maxDeliveries: number },
): FanOut {
  const plan: FanOut = { taken: [], deliveries: [], heads: [], unheard: [] }
  const heads = new Map(listeners.map((listener) => [listener.webhookId, startHead(listener)]))
  const byAccount = Map.groupBy(listeners, ({ accountId }) => accountId)
  for (const event of events) {
    const hearing = (byAccount.get(event.accountId) ?? []).filter((listener) => hears(listener, event))
    if (plan.taken.length > 0 && plan.deliveries.length + hearing.length > limits.maxDeliveries) break
    const before = plan.deliveries.length
    for (const listener of hearing) {
      const head = heads.get(listener.webhookId)
      if (head && give(head, limits.maxWaiting)) plan.deliveries.push({ webhookId: listener.webhookId, event })
    }
    plan.taken.push(event)
    if (plan.deliveries.length === before) plan.unheard.push(event.eventId)
  }
  plan.heads = [...heads.values()].filter(({ added, missed }) => added > 0 || missed > 0)
  return plan
}

/** Whether a webhook of the event's account is to be sent it; the lists it names stay named when they are deleted, so it never widens. */
export function hears(listener: ListenerSettings, event: OutboxEvent): boolean {
  return (
    listener.activeEpoch <= event.webhookEpoch &&
    listener.events.includes(event.type) &&
    (listener.listIds.length === 0 || listener.listIds.includes(event.listId))
  )
}

type Head = FanOut['heads'][number] & { waiting: number }

function startHead({ webhookId, accountId, waiting, backlogFull }: Listener): Head {
  return { webhookId, accountId, waiting, added: 0, missed: 0, backlogFull, backlogBegan: false }
}

function give(head: Head, maxWaiting: number): boolean {
  const waiting = head.waiting + head.added
  if (waiting <= maxWaiting / 2) head.backlogFull = false
  if (waiting < maxWaiting) {
    head.added++
    return true
  }
  head.missed++
  head.backlogBegan ||= !head.backlogFull
  head.backlogFull = true
  return false
}
