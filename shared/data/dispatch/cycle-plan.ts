import { isPing } from '#shared/domain/webhook/deliveries/ping.ts'
import { type Lane, queueAfter } from '#shared/domain/webhook/deliveries/queue.ts'
import { type ActiveWebhook, type FanOut, planFanOut, type WebhookListener } from '#shared/domain/webhook/fan-out.ts'
import { type Backlogs, type Giving, heldIn, roomForHeld } from '#shared/domain/webhook/held.ts'
import { isTooEarly } from '#shared/domain/webhook/pace.ts'
import { type BacklogChanges, planBacklogs, type ToldBacklogNews, toHeldEvents } from './backlog-changes.ts'
import type { Claim, Holder } from './claims.ts'
import { backlogsAfter, givenIn, givingTo, queuesAfter, timesOf, toGivenEvents } from './giving-plan.ts'
import type { Listeners } from './outbox/listeners.ts'
import type { GivenEvents, NewDelivery } from './outbox/new-deliveries.ts'
import type { FanOutPlan, OutboxSelection, WaitingEvents } from './outbox/outbox.ts'
import { hasWaiting, type QueueChange, type QueuePlan, type QueueState, type QueueStates } from './queue-state.ts'
import type { PlannedOutcome, Settlement, SettleRules } from './settlements.ts'

// The decisions of a dispatcher cycle, computed from what it has read. They do not depend on whether the rows were locked. Invariant: an
// outcome counts only while its queue is still leased under the fence and for the delivery that the claim names. Otherwise the webhook is
// gone, or another dispatcher has taken the queue over and ended the attempt as interrupted: the outcome is dropped.

/** The work of one dispatcher cycle. */
export type CycleWork = {
  settlements: readonly Settlement[]
  /** Outbox rows to fan out; null: none. */
  outbox: OutboxSelection | null
  /** Free slots per lane; zeros while draining. */
  slots: Record<Lane, number>
  /**
   * Whether to claim webhooks that are due, in the order of their due times. Otherwise only free webhooks that receive events of this cycle
   * are claimed, and others only if the cycle leaves a free webhook with waiting deliveries.
   */
  claimDue: boolean
  /** Whether other processes change the same queues at the same time, so that locks are needed. */
  contended?: boolean
}

export type CycleRules = SettleRules &
  BacklogRules & {
    listeners: Listeners
  }

/** The most deliveries that may wait for one webhook, and the most events that may be held for it. */
export type BacklogRules = { maxWaiting: number; maxHeld: number }

/** One cycle: its work, who does it, and by which rules. */
export type Cycle = { work: CycleWork; holder: Holder; rules: CycleRules }

/**
 * The state that a cycle is planned from: events, the queues of its outcomes and of all matching webhooks, the backlogs of those that are
 * behind, and the database's time.
 */
export type CycleState = WaitingEvents & { queues: QueueStates; backlogs: Backlogs; now: number }

export type CyclePlan = {
  now: number
  /** The outcomes that count. */
  outcomes: readonly PlannedOutcome[]
  /** The held events that become deliveries. */
  given: readonly GivenEvents[]
  fanOut: FanOutPlan
  backlogs: BacklogChanges
  /** Whether events of the selection may be left waiting. */
  moreInOutbox: boolean
  queues: readonly QueuePlan[]
}

/** The maximum number of delivery rows of a transaction: more would keep other writers waiting. */
export const maxDeliveries = 500

/** Computes the changes of deliveries and queues from outcomes and events. */
export function planCycle(state: CycleState, { work, holder, rules }: Cycle): CyclePlan {
  const { now, events } = state
  const outcomes = planOutcomes(state, { work, holder, rules })
  const settled = new Map([...state.queues, ...outcomes.map(({ queue }) => [queue.webhookId, queue] as const)])
  const room = roomForHeld(events.length, maxDeliveries)
  const giving = givingTo(settled, state.backlogs, { maxWaiting: rules.maxWaiting, room })
  const given = toGivenEvents(giving, { now, newId: rules.newId })
  const queues = new Map([...settled, ...queuesAfter(giving, settled)])
  const webhooks = activeWebhooks(state.listeners, queues, backlogsAfter(giving, state.backlogs))
  const fanOut = planFanOut(events, webhooks, { ...rules, maxDeliveries: maxDeliveries - givenIn(given) })
  const backlogs = planBacklogs(giving, fanOut, state)
  return {
    now,
    outcomes,
    given,
    fanOut: {
      ...fanOut,
      deliveries: newDeliveries(fanOut, { now, newId: rules.newId }),
      held: toHeldEvents(fanOut.held, backlogs.kept, now),
    },
    backlogs,
    moreInOutbox: state.moreInOutbox || fanOut.events.length < events.length,
    queues: planQueues(
      outcomes.map((outcome) => toQueuePlan(outcome, now)),
      { giving, fanOut, queues, now, slots: work.claimDue ? noSlots : work.slots },
    ),
  }
}

const noSlots = { fast: 0, slow: 0 } as const

/** Drops an outcome whose fence is stale or whose webhook is gone. */
function planOutcomes({ queues, now }: CycleState, { work, holder, rules }: Cycle): PlannedOutcome[] {
  return work.settlements.flatMap((settlement) => {
    const { claim, outcome, lane } = settlement
    const queue = queues.get(claim.webhookId)
    if (!queue || !isStillLeased(queue, claim, holder)) return []
    const { event, seriesAttempts } = claim
    return [{ settlement, ...queueAfter(queue, { event, seriesAttempts, outcome, endedAt: now, lane }, rules) }]
  })
}

function isStillLeased(queue: QueueState, claim: Claim, { owner }: Holder): boolean {
  return queue.leaseOwner === owner && queue.fence === claim.fence && queue.attemptDeliveryId === claim.deliveryId
}

/** A webhook whose rate limit does not allow a request yet releases its slot. */
function toQueuePlan({ queue, settlement, delivery }: PlannedOutcome, now: number): QueuePlan {
  const { claim, lane, shouldContinue } = settlement
  const mayContinue = shouldContinue && lane === claim.lane && !isTooEarly(queue, now)
  return {
    queue,
    missed: 0,
    settled: delivery.status === 'pending' ? null : { status: delivery.status, isPing: isPing(claim) },
    lease: mayContinue ? 'continues' : 'free',
    owed: false,
  }
}

/**
 * Leaves out webhooks that are disabled or deleted. The epoch of activation is the one read with the queue: a webhook that was activated
 * after its settings were read receives no earlier event.
 */
function activeWebhooks(
  listeners: readonly WebhookListener[],
  queues: QueueStates,
  backlogs: Backlogs,
): ActiveWebhook[] {
  return listeners.flatMap((listener) => {
    const { activeEpoch = null, waiting = 0, backlogFull = false } = queues.get(listener.webhookId) ?? {}
    const backlog = backlogs.get(listener.webhookId)
    const behind = backlog ? { held: heldIn(backlog), missing: backlog.missing } : null
    return activeEpoch === null ? [] : [{ ...listener, activeEpoch, waiting, backlogFull, behind }]
  })
}

function newDeliveries(
  { deliveries }: FanOut,
  { now, newId }: { now: number; newId(at: number): string },
): NewDelivery[] {
  return deliveries.map((delivery) => ({ ...delivery, ...timesOf(newId(now), now) }))
}

type NewInQueues = {
  giving: readonly Giving[]
  fanOut: FanOut
  /** The queues after outcomes, with the held events that they were given. */
  queues: QueueStates
  now: number
  slots: Record<Lane, number>
}

/**
 * Adds given held events and new events to the queues of settled outcomes, and adds the other queues that receive something. A free one of
 * these starts an attempt at once if its lane has a slot, so that claiming needs no further transaction.
 */
function planQueues(settled: readonly QueuePlan[], { giving, fanOut, queues, now, slots }: NewInQueues): QueuePlan[] {
  const plans = new Map(settled.map((plan) => [plan.queue.webhookId, plan]))
  const free = { ...slots }
  const planOf = (queue: QueueState) =>
    plans.get(queue.webhookId) ?? { queue, settled: null, missed: 0, lease: leaseOf(queue, { free, now }), owed: false }
  for (const { backlog, owed } of giving) {
    const queue = queues.get(backlog.webhookId)
    if (queue) plans.set(queue.webhookId, { ...planOf(queue), queue, owed })
  }
  for (const { webhookId, added, missed, backlogFull } of fanOut.queues) {
    const queue = queues.get(webhookId)
    if (!queue) continue
    const waiting = queue.waiting + added
    plans.set(webhookId, { ...planOf(queue), missed, queue: { ...queue, waiting, backlogFull } })
  }
  return [...plans.values()]
}

/** Takes a slot for a queue that is free. An expired lease is left to `claimDue`, which ends its open attempt. */
function leaseOf(queue: QueueState, { free, now }: { free: Record<Lane, number>; now: number }): QueuePlan['lease'] {
  const { leaseOwner, lane } = queue
  if (leaseOwner !== null) return 'leased'
  if (free[lane] <= 0 || isTooEarly(queue, now)) return 'free'
  free[lane]--
  return 'starts'
}

/** The webhooks for which an attempt starts if one of their deliveries is due. */
export function mayStart({ queues }: CyclePlan): string[] {
  return queues
    .filter(({ lease, queue }) => (lease === 'continues' || lease === 'starts') && hasWaiting(queue))
    .map(({ queue }) => queue.webhookId)
}

/** The result of a written plan. */
export type WrittenPlan = {
  changes: readonly QueueChange[]
  /** The attempts that have started. */
  claims: readonly Claim[]
  /** The webhooks that outcomes have disabled. */
  disabled: readonly string[]
  backlogNews: readonly ToldBacklogNews[]
}

/**
 * Reads the state that a cycle is planned from and writes the plan, in one of two forms: `lockedStore` locks what it reads until it is
 * written, `optimisticStore` locks nothing and verifies when it writes that nothing has changed.
 */
export type DispatchStore<State extends CycleState> = {
  read(): Promise<State>
  write(plan: CyclePlan, state: State): Promise<WrittenPlan>
}
