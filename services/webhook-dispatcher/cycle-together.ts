import type { Database } from '#shared/data/database.ts'
import { type Claim, type Holder, planAttempts } from '#shared/data/dispatch/claims.ts'
import type { NextDelivery } from '#shared/data/dispatch/next-deliveries.ts'
import { type FanOutPlan, type NewDelivery, newDeliveries, noEvents, planTaken } from '#shared/data/dispatch/outbox.ts'
import { hasMore, mayBegin, planQueues, type QueuePlan } from '#shared/data/dispatch/queue-plans.ts'
import type { LockedQueue, LockedQueues } from '#shared/data/dispatch/queue-state.ts'
import { type OutcomeNews, outcomeNews, planSettlements, type Settled } from '#shared/data/dispatch/settlements.ts'
import {
  type ReadEvents,
  readEvents,
  readSeen,
  type SeenQueues,
  type TogetherWork,
  writesTogether,
} from '#shared/data/dispatch/together.ts'
import { succeeded } from '#shared/domain/webhook/delivery.ts'
import { isPing } from '#shared/domain/webhook/ping.ts'
import type { CycleRules, CycleWork } from './cycle-work.ts'

/** The most events, outcomes and deliveries; a transaction takes many for less. */
const most = { events: 16, settlements: 64, deliveries: 64 } as const

/** What a cycle did to queues, the attempts that it began, and what its outcomes changed for an operator. */
export type Moved = { plans: readonly QueuePlan[]; begun: readonly Claim[]; outcomeNews: readonly OutcomeNews[] }

/**
 * Does the work of a cycle without a transaction, as most cycles can: it reads what it needs, and one statement writes all of it
 * if nobody has changed a queue meanwhile. It makes the same plans as the transaction.
 * @returns null when it has written nothing: the work is of another kind, or somebody was quicker, which is `contended`
 */
export async function moveOnTogether(
  db: Database,
  work: CycleWork,
  holder: Holder,
  rules: CycleRules,
): Promise<{ moved: Moved | null; contended: boolean }> {
  const { writeTogether } = db
  if (!writeTogether || !fits(work)) return unfit
  const read = await readWork(db, work, rules)
  const planned = read && planWork(read, work, holder, rules)
  if (!planned) return unfit
  const { written, now, ...moved } = planned
  const done = await writeTogether(writesTogether(written, { ...holder, now }))
  return { moved: done === null ? null : moved, contended: done === null }
}

const unfit = { moved: null, contended: false }

function fits({ settlements, outbox, look, contended = false }: CycleWork): boolean {
  if (look || contended) return false
  const eventIds = outbox === null ? [] : 'eventIds' in outbox ? outbox.eventIds : null
  if (eventIds === null || eventIds.length > most.events || settlements.length > most.settlements) return false
  const isPlain = settlements.every(({ claim, outcome }) => succeeded(outcome) && !isPing(claim))
  return isPlain && eventIds.length + settlements.length > 0
}

type ReadWork = { taken: ReadEvents; seen: SeenQueues; queues: LockedQueues }

const noEventsRead: ReadEvents = { ...noEvents, bodies: new Map() }

async function readWork(db: Database, { settlements, outbox }: CycleWork, rules: CycleRules): Promise<ReadWork | null> {
  const eventIds = outbox && 'eventIds' in outbox ? outbox.eventIds : []
  const taken = eventIds.length === 0 ? noEventsRead : await readEvents(db, eventIds, rules)
  // The payload that is due next is read of each, before it is known which of them can begin.
  if (taken === null || taken.listeners.length > most.deliveries) return null
  // Where nothing more waits a holder knows its queue: it is as the claim left it, or the statement writes nothing.
  const continuing = settlements.filter(({ claim }) => claim.more).map(({ claim }) => claim.webhookId)
  const seen = await readSeen(db, [...new Set([...taken.listeners.map(({ webhookId }) => webhookId), ...continuing])])
  const queues = [...settlements.map(({ claim }) => claim.queue), ...seen.queues]
  return { taken, seen, queues: new Map(queues.map((queue) => [queue.webhookId, queue])) }
}

type Planned = Moved & { written: TogetherWork; now: number }

/** Plans as the transaction does; null for what is left to it: pings, retries, a backlog that has become full. */
function planWork(
  { taken, seen, queues }: ReadWork,
  { settlements, slots }: CycleWork,
  holder: Holder,
  rules: CycleRules,
): Planned | null {
  const now = seen.now ?? 0 // without a queue that was read nothing begins, and only retries have another time
  const settled = planSettlements({ settlements, queues, holder, rules, endedAt: now })
  const fanOut = planTaken(taken, { ...rules, queues: settled.queues, maxDeliveries: most.deliveries })
  const plans = planQueues(settled.plans, { given: fanOut.queues, queues: settled.queues, slots })
  if (!isWhole(settled, fanOut, settlements.length) || plans.some(({ queue }) => queue.pinging > 0)) return null
  const deliveries = newDeliveries(fanOut, { ...rules, now })
  const beginning = new Set(mayBegin(plans))
  const next = nextDeliveries(seen, { deliveries, bodies: taken.bodies }).filter((row) => beginning.has(row.webhook_id))
  const { changes, claims } = planAttempts(plans, { next, holder, now })
  if (changes.some((change) => !change.isServed && change.beginning === null && hasMore(change.queue))) return null
  const eventIds = fanOut.taken.map(({ eventId }) => eventId)
  const written = {
    settlements,
    taken: { eventIds, unmatched: fanOut.unmatched, deliveries },
    queues: changes.map((change) => ({ change, seen: queues.get(change.queue.webhookId) as LockedQueue })),
  }
  return { plans, begun: claims, outcomeNews: outcomeNews(settled, []), written, now }
}

/** Whether all outcomes count and all events are given to webhooks, without an entry in the event log. */
function isWhole({ held }: Settled, { more, queues }: FanOutPlan, outcomes: number): boolean {
  return held.length === outcomes && !more && !queues.some(({ backlogBegan }) => backlogBegan)
}

/** The delivery that is due first of each webhook: what has waited comes before what is new. */
function nextDeliveries(
  { targets, next }: SeenQueues,
  { deliveries, bodies }: { deliveries: readonly NewDelivery[]; bodies: ReadEvents['bodies'] },
): NextDelivery[] {
  const found = new Map(next.map((row) => [row.webhook_id, row]))
  const byWebhook = new Map(targets.map((target) => [target.webhook_id, target]))
  for (const { id, webhookId, event } of deliveries.toSorted(byId)) {
    const target = byWebhook.get(webhookId)
    if (!target || found.has(webhookId)) continue
    found.set(webhookId, {
      ...target,
      id,
      event_id: event.eventId,
      event: event.type,
      request_id: event.requestId,
      attempts: 0,
      series_attempts: 0,
      expires_at: null,
      body: bodies.get(event.eventId) ?? '',
    })
  }
  return [...found.values()]
}

function byId(one: NewDelivery, other: NewDelivery): number {
  return one.id < other.id ? -1 : 1
}
