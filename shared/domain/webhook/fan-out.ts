import type { ItemEventType } from './event-types.ts'
import { changedItems, type ItemFilters, passesWhere } from './where.ts'

/** A committed event that waits to be fanned out to listeners. */
export type OutboxEvent = ItemOutboxEvent | EmittedOutboxEvent

type Waiting = {
  eventId: string
  accountId: string
  requestId: string
  /** The account's listener epoch when it was committed. */
  listenerEpoch: number
}

/** A change of an item. */
export type ItemOutboxEvent = Waiting & {
  type: ItemEventType
  listId: string
  itemId: string
  /** The webhooks whose conditions it does not pass; absent: none has conditions on its list. */
  withheldFrom?: ReadonlySet<string>
}

/** What a flow has emitted to the webhooks that it names. */
export type EmittedOutboxEvent = Waiting & {
  type: 'flow.emit'
  listId: null
  itemId: null
  webhookIds: readonly string[]
}

/** What can get the events of its account; a webhook is one kind. */
export type Listener = {
  accountId: string
  /** The types of the events that it gets. */
  events: readonly ItemEventType[]
  /** The lists whose events it gets; none: all lists. */
  listIds: readonly string[]
  /** The account's listener epoch at which it last became active. */
  activeEpoch: number
}

export type WebhookListener = Listener & {
  webhookId: string
  /** Its conditions on items; absent: it has none. */
  filters?: ItemFilters
}

/** An active webhook, with what waits for it. */
export type ActiveWebhook = WebhookListener & { waiting: number; backlogFull: boolean }

export type FanOut = {
  /** The events that were fanned out, a prefix of the input. */
  events: OutboxEvent[]
  deliveries: { webhookId: string; event: OutboxEvent }[]
  queues: {
    webhookId: string
    accountId: string
    added: number
    missed: number
    backlogFull: boolean
    backlogBegan: boolean
  }[]
  /** Events that no webhook gets: their payload can be deleted. */
  unmatched: string[]
}

/**
 * Fans events out to webhooks that were active when the event was committed: of a change of an item those that listen to its type and
 * its list, and have no filter that it does not pass; of what a flow has emitted those that it names.
 * A webhook with `maxWaiting` waiting deliveries gets no more; missed events are counted (specification, Limits; contract
 * 2.7). An episode begins with the first missed event and ends when half of the backlog is sent: at the bound deliveries are
 * sent and missed alternately, and each would begin another. Stops before an event that would exceed `maxDeliveries`.
 */
export function planFanOut(
  events: readonly OutboxEvent[],
  listeners: readonly ActiveWebhook[],
  limits: { maxWaiting: number; maxDeliveries: number },
): FanOut {
  const plan: FanOut = { events: [], deliveries: [], queues: [], unmatched: [] }
  const queues = new Map(listeners.map((listener) => [listener.webhookId, newBacklog(listener)]))
  const byAccount = Map.groupBy(listeners, ({ accountId }) => accountId)
  for (const event of events) {
    const matching = (byAccount.get(event.accountId) ?? []).filter((listener) => isFor(listener, event))
    if (plan.events.length > 0 && plan.deliveries.length + matching.length > limits.maxDeliveries) break
    const before = plan.deliveries.length
    for (const listener of matching) {
      const queue = queues.get(listener.webhookId)
      if (queue && enqueue(queue, limits.maxWaiting)) plan.deliveries.push({ webhookId: listener.webhookId, event })
    }
    plan.events.push(event)
    if (plan.deliveries.length === before) plan.unmatched.push(event.eventId)
  }
  plan.queues = [...queues.values()].filter(({ added, missed }) => added > 0 || missed > 0)
  return plan
}

/** Whether a webhook of the event's account gets it. */
export function isFor(listener: WebhookListener, event: OutboxEvent): boolean {
  if (event.type !== 'flow.emit') return matches(listener, event) && !event.withheldFrom?.has(listener.webhookId)
  return listener.activeEpoch <= event.listenerEpoch && event.webhookIds.includes(listener.webhookId)
}

/** Whether a listener of the account of a change listens to it. Ids of deleted lists stay in `listIds`, or it could become all lists. */
export function matches(listener: Listener, event: ItemOutboxEvent): boolean {
  return (
    listener.activeEpoch <= event.listenerEpoch &&
    listener.events.includes(event.type) &&
    (listener.listIds.length === 0 || listener.listIds.includes(event.listId))
  )
}

/** The event without those of these webhooks of its account whose filters its payload does not pass. */
export function withheld(
  event: ItemOutboxEvent,
  listeners: readonly WebhookListener[],
  payload: string,
): ItemOutboxEvent {
  const changed = changedItems(payload)
  const refusing = listeners.filter(({ filters }) => {
    const filter = filters?.get(event.listId)
    return filter !== undefined && !passesWhere(filter, changed)
  })
  return { ...event, withheldFrom: new Set(refusing.map(({ webhookId }) => webhookId)) }
}

/** Whether a webhook of the event's account has to see the data of an event that it listens to. */
export function isFilteredBy(listener: WebhookListener, event: OutboxEvent): event is ItemOutboxEvent {
  return event.type !== 'flow.emit' && listener.filters?.has(event.listId) === true && matches(listener, event)
}

type Backlog = FanOut['queues'][number] & { waiting: number }

function newBacklog({ webhookId, accountId, waiting, backlogFull }: ActiveWebhook): Backlog {
  return { webhookId, accountId, waiting, added: 0, missed: 0, backlogFull, backlogBegan: false }
}

function enqueue(queue: Backlog, maxWaiting: number): boolean {
  const waiting = queue.waiting + queue.added
  if (waiting <= maxWaiting / 2) queue.backlogFull = false
  if (waiting < maxWaiting) {
    queue.added++
    return true
  }
  queue.missed++
  queue.backlogBegan ||= !queue.backlogFull
  queue.backlogFull = true
  return false
}
