import type { Claim } from '#shared/data/dispatch/claims.ts'
import type { Settlement } from '#shared/data/dispatch/settlements.ts'
import type { AttemptOutcome } from '#shared/domain/webhook/delivery.ts'
import { isPing } from '#shared/domain/webhook/ping.ts'
import { type Lane, laneAfter, slowAfterMs } from '#shared/domain/webhook/queue.ts'
import { createLanes, type Slot } from './lanes.ts'

/** A claim and the monotonic time just before it was sent, from which its lease counts; never from the answer. */
export type HeldClaim = { claim: Claim; claimSentAt: number }

export type WorkerOptions = {
  /** Number of webhooks served at once. */
  concurrency: number
  leaseMs: number
  /** The attempt's own deadline, in milliseconds. */
  timeoutMs: number
  /** Sends one claimed delivery; never rejects. */
  attempt(claim: Claim, signal: AbortSignal): Promise<AttemptOutcome>
  /** Called with every outcome, for logs and metrics. */
  onOutcome(claim: Claim, outcome: AttemptOutcome): void
  /**
   * Writes an outcome; resolves with the webhook's next claim, or null when its lease was given back.
   * @param isAwaited whether a client or the webhook's next delivery waits for that
   */
  settle(settlement: Settlement, isAwaited: boolean): Promise<HeldClaim | null>
  /** Called when an outcome has been written. */
  onSettled?(claim: Claim): void
  /** Called when a slot has become free. */
  onSlot(): void
}

export type DeliveryWorkers = {
  /** Free slots of each lane. */
  freeSlots(): Record<Lane, number>
  start(held: HeldClaim): void
  /** Notes that webhooks have got more deliveries. @returns whether an outcome of one of them is being settled */
  expectMore(webhookIds: readonly string[]): boolean
  /** Drops the open request of a webhook, if it is served here, and gives its lease back. */
  stop(webhookId: string): void
  /** Drops all open requests, and every request that would begin later. */
  stopAll(): void
  count(): number
}

/** The lease must outlast the attempt's deadline by this much when the request starts. */
const leaseMarginMs = 2_000

/** A webhook that is served: `hasMore` is whether it has got more deliveries since its attempt began. */
type Served = { controller: AbortController; hasMore: boolean; isSettling: boolean }

/** Serves claimed webhooks, each in a slot of a lane: attempt, settle, next attempt, until its lease is given back. */
export function createWorkers(options: WorkerOptions): DeliveryWorkers {
  const lanes = createLanes(options.concurrency)
  const served = new Map<string, Served>()
  let stopped = false

  async function serve(first: HeldClaim): Promise<void> {
    const { webhookId, lane } = first.claim
    const slot = lanes.acquire(lane)
    const controller = new AbortController()
    const state: Served = { controller, hasMore: false, isSettling: false }
    served.set(webhookId, state)
    if (stopped) controller.abort() // claimed by a cycle that was under way
    let held: HeldClaim | null = first
    while (held) {
      const { claim } = held
      const outcome = await attempt(held, slot, controller.signal)
      options.onOutcome(claim, outcome)
      const more = claim.more || state.hasMore
      Object.assign(state, { hasMore: false, isSettling: true })
      const shouldContinue = !controller.signal.aborted
      const settlement = { claim: { ...claim, more }, outcome, lane: laneAfter(claim.lane, outcome), shouldContinue }
      held = await options.settle(settlement, more || isPing(claim))
      state.isSettling = false
      options.onSettled?.(claim)
    }
    slot.release()
    if (served.get(webhookId) === state) served.delete(webhookId) // the same cycle may have claimed it again
    options.onSlot()
  }

  /** Checks and sends in the same tick of the event loop: no request starts on a lease that may run out during it. */
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
    expectMore(webhookIds) {
      let isSettling = false
      for (const webhookId of webhookIds) {
        const state = served.get(webhookId)
        if (state) state.hasMore = true
        isSettling ||= state?.isSettling === true
      }
      return isSettling
    },
    stop: (webhookId) => served.get(webhookId)?.controller.abort(),
    stopAll() {
      stopped = true
      for (const { controller } of served.values()) controller.abort()
    },
    count: () => served.size,
  }
}

const notSent: AttemptOutcome = { status: null, body: '', durationMs: 0, error: 'interrupted' }
