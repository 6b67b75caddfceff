import type { ItemEventType } from './event-types.ts'
import { isHalfFree } from './held.ts'
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

/** An event that a flow has emitted to the webhooks that it names. */
export type EmittedOutboxEvent = Waiting & {
  type: 'flow.emit'
  listId: null
  itemId: null
  webhookIds: readonly string[]
}

/** A receiver of the events of its account, such as a webhook. */
export type Listener = {
  accountId: string
  /** The types of events that it receives. */
  events: readonly ItemEventType[]
  /** The lists whose events it receives; empty: all lists. */
  listIds: readonly string[]
  /** The account's listener epoch at which it last became active. */
  activeEpoch: number
}

export type WebhookListener = Listener & {
  webhookId: string
  /** Its conditions on items; absent: it has none. */
  filters?: ItemFilters
}

/** An active webhook, with its waiting deliveries and its held events; `behind` null: it is not behind. */
export type ActiveWebhook = WebhookListener & {
  waiting: number
  backlogFull: boolean
  behind: { held: number; missing: boolean } | null
}

export type FanOut = {
  /** The events that were fanned out, a prefix of the input. */
  events: OutboxEvent[]
  deliveries: ForWebhook[]
  /** Events that are held for a webhook, the oldest first. */
  held: ForWebhook[]
  queues: {
    webhookId: string
    accountId: string
    added: number
    held: number
    missed: number
    backlogFull: boolean
    /** The webhook is behind from now on. */
    behindBegan: boolean
    /** The webhook misses events from now on. */
    missingBegan: boolean
  }[]
  /** Events without a delivery: their payload can be deleted, once held events have a copy. */
  unmatched: string[]
}

type ForWebhook = { webhookId: string; event: OutboxEvent }

/** `maxWaiting`, `maxHeld`: of one webhook; `maxDeliveries`: how many rows of deliveries and held events a plan has, unless one event has more. */
export type FanOutLimits = { maxWaiting: number; maxHeld: number; maxDeliveries: number }

/**
 * Fans events out to webhooks that were active when the event was committed. A change of an item goes to those that listen to its type and
 * its list and whose filters it passes; an event that a flow has emitted goes to those that it names.
 * A webhook with `maxWaiting` waiting deliveries gets no more (specification, Limits): further events are held for it, also as long as any
 * event is held, to keep their order. Beyond `maxHeld` they are missed and counted (contract 2.7). An episode of either ends when half of
 * the bound is free (`held.ts`). Stops before an event that would exceed `maxDeliveries`.
 */
export function planFanOut(
  events: readonly OutboxEvent[],
  listeners: readonly ActiveWebhook[],
  limits: FanOutLimits,
): FanOut {
  const plan: FanOut = { events: [], deliveries: [], held: [], queues: [], unmatched: [] }
  const queues = new Map(listeners.map((listener) => [listener.webhookId, newTally(listener)]))
  const byAccount = Map.groupBy(listeners, ({ accountId }) => accountId)
  for (const event of events) {
    const matching = (byAccount.get(event.accountId) ?? []).filter((listener) => isFor(listener, event))
    const rows = plan.deliveries.length + plan.held.length + matching.length
    if (plan.events.length > 0 && rows > limits.maxDeliveries) break
    const before = plan.deliveries.length
    for (const { webhookId } of matching) {
      const queue = queues.get(webhookId)
      const place = queue && enqueue(queue, limits)
      if (place) plan[place].push({ webhookId, event })
    }
    plan.events.push(event)
    if (plan.deliveries.length === before) plan.unmatched.push(event.eventId)
  }
  plan.queues = [...queues.values()].filter(({ added, held, missed }) => added + held + missed > 0)
  return plan
}

/** Whether a webhook of the event's account receives it. */
export function isFor(listener: WebhookListener, event: OutboxEvent): boolean {
  if (event.type !== 'flow.emit') return matches(listener, event) && !event.withheldFrom?.has(listener.webhookId)
  return listener.activeEpoch <= event.listenerEpoch && event.webhookIds.includes(listener.webhookId)
}

/**
 * Whether a listener of the account of a change listens to it. Ids of deleted lists stay in `listIds`, because without them it could be
 * empty, which means all lists.
 */
export function matches(listener: Listener, event: ItemOutboxEvent): boolean {
  return (
    listener.activeEpoch <= event.listenerEpoch &&
    listener.events.includes(event.type) &&
    (listener.listIds.length === 0 || listener.listIds.includes(event.listId))
  )
}

/** The event, withheld from those of these webhooks of its account whose filters its payload does not pass. */
export function withheld(
  event: ItemOutboxEvent,
  listeners: readonly WebhookListener[],
  payload: string,
): ItemOutboxEvent {
  const changed = changedItems(payload)
  const rejecting = listeners.filter(({ filters }) => {
    const filter = filters?.get(event.listId)
    return filter !== undefined && !passesWhere(filter, changed)
  })
  return { ...event, withheldFrom: new Set(rejecting.map(({ webhookId }) => webhookId)) }
}

/** Whether a webhook of the event's account has to see the data of an event that it listens to. */
export function isFilteredBy(listener: WebhookListener, event: OutboxEvent): event is ItemOutboxEvent {
  return event.type !== 'flow.emit' && listener.filters?.has(event.listId) === true && matches(listener, event)
}

type Tally = FanOut['queues'][number] & {
  waiting: number
  behind: boolean
  missing: boolean
  /** The number of held events, without those that this plan adds. */
  heldBefore: number
}

function newTally({ webhookId, accountId, waiting, backlogFull, behind }: ActiveWebhook): Tally {
  return {
    webhookId,
    accountId,
    waiting,
    added: 0,
    held: 0,
    missed: 0,
    backlogFull: backlogFull || behind !== null,
    behindBegan: false,
    missingBegan: false,
    behind: behind !== null,
    heldBefore: behind?.held ?? 0,
    // A webhook that is full but not behind has no held events: it misses events, as with a `maxHeld` of 0.
    missing: behind?.missing ?? backlogFull,
  }
}

/** @returns where the event is stored for the webhook; null: it misses the event */
function enqueue(queue: Tally, { maxWaiting, maxHeld }: FanOutLimits): 'deliveries' | 'held' | null {
  const waiting = queue.waiting + queue.added
  const held = queue.heldBefore + queue.held
  if (!queue.behind && isHalfFree(waiting, maxWaiting)) {
    queue.backlogFull = false
    queue.missing = false
  }
  if (held === 0 && waiting < maxWaiting) {
    queue.added++
    return 'deliveries'
  }
  queue.backlogFull = true
  if (held < maxHeld) {
    queue.held++
    beginBehind(queue)
    return 'held'
  }
  queue.missed++
  queue.missingBegan ||= !queue.missing
  queue.missing = true
  return null
}

function beginBehind(queue: Tally): void {
  if (queue.behind) return
  queue.behind = true
  queue.behindBegan = true
  queue.missing = false
}
