import type { Claim } from '#shared/data/dispatch/claims.ts'
import type { Lane } from '#shared/data/dispatch/queue-state.ts'
import type { Settlement } from '#shared/data/dispatch/settlements.ts'
import { type AttemptOutcome, succeeded } from '#shared/domain/webhook/delivery.ts'
import { createLanes, type Slot } from './lanes.ts'

/** A claim and the monotonic time before which it was sent: its lease is counted from there, never from the answer. */
export type HeldClaim = { claim: Claim; claimSentAt: number }

export type WorkerOptions = {
  /** Webhooks served at once. */
  concurrency: number
  leaseMs: number
  /** The attempt's own deadline, in milliseconds. */
  timeoutMs: number
  /** Sends one claimed delivery; never rejects. */
  attempt(claim: Claim, signal: AbortSignal): Promise<AttemptOutcome>
  /** Told of every outcome, for logs and metrics. */
  onOutcome(claim: Claim, outcome: AttemptOutcome): void
  /** Writes an outcome; the answer is the webhook's next claim, or null when its lease is given back. */
  settle(settlement: Settlement): Promise<HeldClaim | null>
  /** Told when an outcome is written. */
  onSettled?(claim: Claim): void
  /** A place has become free. */
  onSlot(): void
}

export type DeliveryWorkers = {
  /** Webhooks more that each lane can take now. */
  freeSlots(): Record<Lane, number>
  start(held: HeldClaim): void
  /** Drops the open request of a webhook, if it is served here, and gives its lease back. */
  stop(webhookId: string): void
  /** Drops all open requests, and those still to begin. */
  stopAll(): void
  count(): number
}

/** An attempt that takes longer is served in the slow lane, and so is the webhook's next one. */
const slowAfterMs = 2_000
/** The lease must outlast the attempt's deadline by this much when the request starts. */
const leaseMarginMs = 2_000

/** Serves claimed webhooks, each in its place of a lane: attempt, settle, next attempt, until its lease is given back. */
export function createWorkers(options: WorkerOptions): DeliveryWorkers {
  const lanes = createLanes(options.concurrency)
  const served = new Map<string, AbortController>()
  let stopped = false

  async function serve(first: HeldClaim): Promise<void> {
    const { webhookId, lane } = first.claim
    const slot = lanes.enter(lane)
    const controller = new AbortController()
    served.set(webhookId, controller)
    if (stopped) controller.abort() // claimed by a cycle that was under way
    let held: HeldClaim | null = first
    while (held) {
      const { claim } = held
      const outcome = await attempt(held, slot, controller.signal)
      options.onOutcome(claim, outcome)
      const shouldContinue = !controller.signal.aborted
      held = await options.settle({ claim, outcome, lane: laneAfter(claim, outcome), shouldContinue })
      options.onSettled?.(claim)
    }
    slot.leave()
    if (served.get(webhookId) === controller) served.delete(webhookId) // the same cycle may have claimed it anew
    options.onSlot()
  }

  /** The check and the send share a cycle of the event loop: no request starts on a lease that may run out under it. */
  async function attempt(held: HeldClaim, slot: Slot, signal: AbortSignal): Promise<AttemptOutcome> {
    const leaseLeftMs = options.leaseMs - (performance.now() - held.claimSentAt)
    if (signal.aborted || leaseLeftMs < options.timeoutMs + leaseMarginMs) return notSent
    const overtime = setTimeout(() => slot.demote() && options.onSlot(), slowAfterMs)
    const outcome = await options.attempt(held.claim, signal)
    clearTimeout(overtime)
    return outcome
  }

  return {
    freeSlots: () => ({ fast: lanes.free('fast'), slow: lanes.free('slow') }),
    start: (held) => void serve(held),
    stop: (webhookId) => served.get(webhookId)?.abort(),
    stopAll() {
      stopped = true
      for (const controller of served.values()) controller.abort()
    },
    count: () => served.size,
  }
}

const notSent: AttemptOutcome = { status: null, body: '', durationMs: 0, error: 'interrupted' }

/** Being broken off by us says nothing of the receiver. */
function laneAfter(claim: Claim, outcome: AttemptOutcome): Lane {
  if (outcome.error === 'interrupted') return claim.lane
  return succeeded(outcome) && outcome.durationMs <= slowAfterMs ? 'fast' : 'slow'
}
