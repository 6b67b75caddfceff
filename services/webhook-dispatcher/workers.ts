import { setTimeout as pause } from 'node:timers/promises'
import type { Claim } from '#shared/data/dispatch/claims.ts'
import type { Settlement } from '#shared/data/dispatch/settlements.ts'
import type { AttemptOutcome } from '#shared/domain/webhook/deliveries/delivery.ts'
import { isPing } from '#shared/domain/webhook/deliveries/ping.ts'
import { type Lane, laneAfter, slowAfterMs } from '#shared/domain/webhook/deliveries/queue.ts'
import { createLanes, type Lanes, type Slot } from './lanes.ts'

/** A claim and the monotonic time just before it was sent, from which its lease counts; never from the answer. */
export type HeldClaim = { claim: Claim; claimSentAt: number }

export type WorkerOptions = {
  /** The number of webhooks served at once. */
  concurrency: number
  leaseMs: number
  /** The attempt's own deadline, in milliseconds. */
  timeoutMs: number
  /** Sends one claimed delivery; never rejects. */
  attempt(claim: Claim, signal: AbortSignal): Promise<AttemptOutcome>
  /** Called with every outcome, for logs and metrics. */
  onOutcome(claim: Claim, outcome: AttemptOutcome): void
  /**
   * Called when an outcome is ready to be written.
   * @param isAwaited whether a client or the webhook's next delivery waits for the outcome
   */
  onReady(isAwaited: boolean): void
  /** Called when an outcome has been written. */
  onSettled?(claim: Claim): void
  /** Called when a slot has become free. */
  onSlot(): void
}

/** An outcome to write, which resolves with the webhook's next claim, or null when its lease was released. */
export type Outcome = { settlement: Settlement; resolve(next: HeldClaim | null): void }

/** The lease must outlast the attempt's deadline by this much when the request starts. */
const leaseMarginMs = 2_000

/** A webhook being served: `hasMore` is whether it has received more deliveries since its attempt started. */
type Served = { controller: AbortController; hasMore: boolean; isSettling: boolean }

/** Serves claimed webhooks, each in a slot of a lane: attempt, settle, next attempt, until its lease is released. */
export class DeliveryWorkers {
  readonly #options: WorkerOptions
  readonly #lanes: Lanes
  readonly #served = new Map<string, Served>()
  /** Outcomes that wait to be written. */
  #ready: Outcome[] = []
  #stopped = false

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#lanes = createLanes(options.concurrency)
  }

  start(held: HeldClaim): void {
    void this.#serve(held)
  }

  /** Free slots of each lane. */
  freeSlots(): Record<Lane, number> {
    return { fast: this.#lanes.free('fast'), slow: this.#lanes.free('slow') }
  }

  /** All ready outcomes, in the order in which their attempts ended. */
  takeOutcomes(): Outcome[] {
    const outcomes = this.#ready
    this.#ready = []
    return outcomes
  }

  /** Puts unwritten outcomes back, in front of those that have become ready since. */
  putBack(outcomes: readonly Outcome[]): void {
    this.#ready = [...outcomes, ...this.#ready]
  }

  /** Records that webhooks have more deliveries. @returns whether an outcome of one of them is being settled */
  expectMore(webhookIds: readonly string[]): boolean {
    this.#ready = this.#ready.map((outcome) => (webhookIds.includes(webhookOf(outcome)) ? withMore(outcome) : outcome))
    let isSettling = false
    for (const webhookId of webhookIds) {
      const state = this.#served.get(webhookId)
      if (state) state.hasMore = true
      isSettling ||= state?.isSettling === true
    }
    return isSettling
  }

  /** Drops the open request of a webhook, if it is served here, and releases its lease. */
  stop(webhookId: string): void {
    this.#served.get(webhookId)?.controller.abort()
  }

  /** Drops all open requests, and every request that would start later. */
  stopAll(): void {
    this.#stopped = true
    for (const { controller } of this.#served.values()) controller.abort()
  }

  count(): number {
    return this.#served.size
  }

  async #serve(first: HeldClaim): Promise<void> {
    const { webhookId, lane } = first.claim
    const slot = this.#lanes.acquire(lane)
    const controller = new AbortController()
    const state: Served = { controller, hasMore: false, isSettling: false }
    this.#served.set(webhookId, state)
    if (this.#stopped) controller.abort() // claimed by a cycle in progress
    let held: HeldClaim | null = first
    while (held) {
      const outcome = await this.#attempt(held, slot, controller.signal)
      this.#options.onOutcome(held.claim, outcome)
      const { claim } = held
      held = await this.#settle(claim, outcome, state)
      this.#options.onSettled?.(claim)
    }
    slot.release()
    if (this.#served.get(webhookId) === state) this.#served.delete(webhookId) // the same cycle may have claimed it again
    this.#options.onSlot()
  }

  /** Checks and sends in the same tick of the event loop: no request starts on a lease that may run out during it. */
  async #attempt({ claim, claimSentAt }: HeldClaim, slot: Slot, signal: AbortSignal): Promise<AttemptOutcome> {
    const { leaseMs, timeoutMs, attempt, onSlot } = this.#options
    if (claim.startsInMs > 0) await pause(claim.startsInMs)
    const leaseLeftMs = leaseMs - (performance.now() - claimSentAt)
    if (signal.aborted || leaseLeftMs < timeoutMs + leaseMarginMs) return notSent
    const overtime = setTimeout(() => slot.demote() && onSlot(), slowAfterMs)
    const outcome = await attempt(claim, signal)
    clearTimeout(overtime)
    return outcome
  }

  /** Resolves with the webhook's next claim, once the outcome is written. */
  async #settle(claim: Claim, outcome: AttemptOutcome, state: Served): Promise<HeldClaim | null> {
    const hasMore = claim.hasMore || state.hasMore
    Object.assign(state, { hasMore: false, isSettling: true })
    const shouldContinue = !state.controller.signal.aborted
    const settlement = { claim: { ...claim, hasMore }, outcome, lane: laneAfter(claim.lane, outcome), shouldContinue }
    const { promise, resolve } = Promise.withResolvers<HeldClaim | null>()
    this.#ready.push({ settlement, resolve })
    this.#options.onReady(hasMore || isPing(claim))
    const next = await promise
    state.isSettling = false
    return next
  }
}

const notSent: AttemptOutcome = { status: null, body: '', durationMs: 0, error: 'interrupted' }

function webhookOf({ settlement }: Outcome): string {
  return settlement.claim.webhookId
}

function withMore({ settlement, resolve }: Outcome): Outcome {
  return { resolve, settlement: { ...settlement, claim: { ...settlement.claim, hasMore: true } } }
}

/**
 * Passes each worker its webhook's next claim, now that its outcome is written. A worker whose lease ran out while this process claimed
 * the webhook again gets no claim: it belongs to the other worker.
 */
export function resolveOutcomes(outcomes: readonly Outcome[], next: readonly Claim[], claimSentAt: number): void {
  const claims = new Map(next.map((claim) => [claim.webhookId, claim]))
  for (const { settlement, resolve } of outcomes) {
    const claim = claims.get(settlement.claim.webhookId)
    resolve(claim?.fence === settlement.claim.fence ? { claim, claimSentAt } : null)
  }
}
