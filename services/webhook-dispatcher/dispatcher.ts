// The loop of the dispatcher. Whatever becomes ready (an outcome, announced events, a due time, a doorbell) requests a cycle,
// which writes all that is ready at once. Then the attempts that it claimed start.
// - The loop is idle (asleep until something is due), lingering (an outcome waits a few milliseconds for others to share
//   its cycle) or running. Its stage is serving, draining (claims and fans out nothing more, writes every outcome) or
//   closed (the database may be closed: no cycle starts).
// - One cycle runs at a time. A request during a cycle leads to another one, so nothing that became ready is ever missed.
// - Work is done only by a commit: a failed cycle puts its batch back, and stale fences drop out later.
// - Events, outcomes and claims share cycles. As transactions of their own all would compete for the write lock, and under load
//   the number of transactions would grow instead of their size.

import type { Database } from '#shared/data/database.ts'
import type { Holder } from '#shared/data/dispatch/claims.ts'
import { type CycleResult, runCycle } from '#shared/data/dispatch/cycle.ts'
import type { CycleRules, CycleWork } from '#shared/data/dispatch/cycle-plan.ts'
import type { Due } from '#shared/data/dispatch/locked-store.ts'
import type { OutboxSelection } from '#shared/data/dispatch/outbox/outbox.ts'
import type { Logger } from '#shared/log/logger.ts'
import { backOffMs } from '#shared/time/back-off.ts'
import { withTimeLimit } from '#shared/time/time-limit.ts'
import { logNews } from './webhook-log.ts'
import { DeliveryWorkers, type Outcome, resolveOutcomes, type WorkerOptions } from './workers.ts'

export type DispatcherOptions = Omit<WorkerOptions, 'onReady' | 'onSlot' | 'leaseMs'> & {
  db: Database
  log: Logger
  holder: Holder
  rules: CycleRules
  /** Called with the number of events that webhooks have missed, if there are any. */
  onMissed?(count: number): void
  /** Called with each webhook that is disabled, falls behind, misses events or has caught up. */
  onChanged?(webhook: { accountId: string; webhookId: string }): void
  /** Called when outcomes have disabled webhooks. */
  onDisabled?(): void
  /** Whether events are announced; while they are not, the outbox is swept every second. */
  announced(): boolean
  /** Notifies other dispatchers that webhooks leased by one of them have more deliveries. */
  notifyOthers(webhookIds: readonly string[]): void
}

/** Announced events to fan out; resolves after the commit. */
type FanOutRequest = { eventIds: readonly string[]; resolve(): void }

/** The work of one cycle. A failed cycle puts it back in front of newer work. */
type Batch = { outcomes: readonly Outcome[]; fanOuts: readonly FanOutRequest[] }

type Loop = 'idle' | 'lingering' | 'running'
type Stage = 'serving' | 'draining' | 'closed'

const sweepEveryMs = { announced: 5_000, unannounced: 1_000 } as const
const longestSleepMs = 5_000
/** How late a sweep may be under a constant stream of announced events. After that the events wait for it. */
const latestSweepMs = 5_000
/**
 * How long an outcome that nothing waits for may wait for another cycle to write it. At 200 deliveries a second over 50
 * webhooks, nearly all are written by the cycles that the next events cause.
 */
const lingerMs = 25
/** How long a failed cycle waits before it is tried again. */
const backOff = { firstMs: 100, longestMs: 5_000, randomPart: 0.5 }
/** How many cycles acquire locks after a cycle lost a race against other processes. A server logs every failed one. */
const contendedCycles = 20
const noSlots = { fast: 0, slow: 0 } as const

/** Delivers events to webhooks, as one of any number of dispatchers on a database. */
class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #workers: DeliveryWorkers
  #fanOuts: FanOutRequest[] = []
  #loop: Loop = 'idle'
  #stage: Stage = 'serving'
  /** Another cycle is to follow the running one. */
  #requested = false
  /** The next cycle is to claim due webhooks. */
  #claimDue = false
  /** Whether due webhooks may be waiting for a slot. */
  #saturated = false
  /** Whether a slot has become free since the last cycle began, so that the cycle did not know of it. */
  #slotFreed = false
  /** How many of the next cycles are to acquire locks. */
  #contended = 0
  #failures = 0
  #sweepDueAt = 0
  /** The last cycle swept: waiting announced events are next, because a large sweep takes long. */
  #swept = false
  #sleepTimer: NodeJS.Timeout | undefined
  #lingerTimer: NodeJS.Timeout | undefined
  /** Called whenever draining may have become complete. */
  #onProgress: () => void = () => {}

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.#workers = new DeliveryWorkers({
      ...options,
      leaseMs: options.holder.leaseMs,
      onSlot: () => {
        this.#slotFreed = true
        if (this.#saturated) this.wake()
        this.#onProgress()
      },
      onReady: (isAwaited) => {
        if (isAwaited || this.#saturated || this.#stage !== 'serving') this.#request()
        else this.#linger()
      },
    })
  }

  /** Fans these events out to webhooks; resolves after the commit. */
  fanOut(eventIds: readonly string[]): Promise<void> {
    return new Promise((resolve) => {
      this.#fanOuts.push({ eventIds, resolve })
      this.#request()
    })
  }

  /** Something may be due: claims it now, or right after the running cycle. */
  readonly wake = (): void => {
    this.#claimDue = true
    this.#request()
  }

  /** These webhooks have more deliveries, perhaps while they are served here. */
  readonly expectMore = (webhookIds: readonly string[]): void => {
    if (this.#workers.expectMore(webhookIds)) this.#request()
  }

  /** Drops the open request of a webhook and releases its lease. */
  readonly stop = (webhookId: string): void => this.#workers.stop(webhookId)

  /** Whether the last cycle could not be written. */
  failing(): boolean {
    return this.#failures > 0
  }

  /** The number of webhooks being served. */
  serving(): number {
    return this.#workers.count()
  }

  /** Claims nothing more, waits for open requests, drops the rest after `graceMs`, and writes every outcome. */
  async drain(graceMs: number): Promise<void> {
    this.#stage = 'draining'
    clearTimeout(this.#sleepTimer)
    await this.#untilDone(graceMs)
    const attempts = this.#workers.count()
    if (attempts > 0) this.#options.log('dispatcher.drain_timed_out', { attempts })
    this.#workers.stopAll()
    await this.#untilDone(2_000)
    this.#stage = 'closed'
    clearTimeout(this.#lingerTimer)
  }

  /** Resolves when no request is open and no outcome is left that could be written, at the latest after `ms`. */
  async #untilDone(ms: number): Promise<void> {
    const done = new Promise<void>((resolve) => {
      this.#onProgress = () => this.#isDone() && resolve()
    })
    this.#onProgress()
    await withTimeLimit(done, ms, () => {})
  }

  #isDone(): boolean {
    return this.#workers.count() === 0 && (this.#loop !== 'running' || this.failing())
  }

  /** Runs a cycle now, or right after the running one. */
  #request(): void {
    this.#requested = true
    if (this.#loop !== 'running' && this.#stage !== 'closed') void this.#run()
  }

  #linger(): void {
    this.#lingerTimer ??= setTimeout(() => this.#request(), lingerMs)
    if (this.#loop === 'idle') this.#loop = 'lingering'
  }

  async #run(): Promise<void> {
    this.#loop = 'running'
    while (this.#requested && this.#stage !== 'closed') {
      this.#requested = false
      await nextTick() // what becomes ready in this tick shares the cycle
      await this.#cycle()
      if (this.#requested) await pause(1) // other processes get the write lock in between
    }
    this.#loop = this.#lingerTimer === undefined ? 'idle' : 'lingering'
    this.#onProgress()
  }

  async #cycle(): Promise<void> {
    const { db, log, holder, rules } = this.#options
    clearTimeout(this.#lingerTimer)
    this.#lingerTimer = undefined
    const batch = { outcomes: this.#workers.takeOutcomes(), fanOuts: this.#fanOuts }
    this.#fanOuts = []
    const lateMs = Date.now() - this.#sweepDueAt
    const sweeping = batch.fanOuts.length === 0 ? lateMs >= 0 : lateMs >= latestSweepMs && !this.#swept
    this.#swept = sweeping
    const claimSentAt = performance.now()
    const claimDue = this.#claimDue || this.#saturated
    this.#claimDue = false
    this.#slotFreed = false
    try {
      const contended = this.#contended > 0
      const result = await runCycle(db, { ...this.#work(batch, sweeping), claimDue, contended }, holder, rules)
      this.#contended = result.contended ? contendedCycles : Math.max(0, this.#contended - 1)
      if (this.failing()) log('dispatcher.cycle_recovered', { failures: this.#failures })
      this.#failures = 0
      logNews(log, result)
      if (result.missed > 0) this.#options.onMissed?.(result.missed)
      const disabled = result.outcomeNews.filter(({ news }) => news === 'disabled')
      for (const webhook of [...disabled.map(({ claim }) => claim), ...result.backlogNews])
        this.#options.onChanged?.(webhook)
      if (disabled.length > 0) this.#options.onDisabled?.()
      resolveOutcomes(batch.outcomes, result.next, claimSentAt)
      this.#afterFanOut(batch, sweeping, result)
      for (const claim of result.claimed) this.#workers.start({ claim, claimSentAt })
      this.expectMore(result.leased.here)
      if (result.leased.elsewhere.length > 0) this.#options.notifyOthers(result.leased.elsewhere)
      if (result.due) this.#sleepUntil(result.due)
    } catch (error) {
      this.#workers.putBack(batch.outcomes)
      this.#fanOuts = [...batch.fanOuts, ...this.#fanOuts]
      this.#claimDue = true
      await this.#backOff(error)
    }
  }

  #work({ outcomes, fanOuts }: Batch, sweeping: boolean): Omit<CycleWork, 'claimDue' | 'contended'> {
    const isServing = this.#stage === 'serving'
    return {
      settlements: outcomes.map(({ settlement }) => ({
        ...settlement,
        shouldContinue: settlement.shouldContinue && isServing,
      })),
      outbox: isServing ? this.#outboxSelection(fanOuts, sweeping) : null,
      slots: isServing ? this.#workers.freeSlots() : noSlots,
    }
  }

  #outboxSelection(fanOuts: Batch['fanOuts'], sweeping: boolean): OutboxSelection | null {
    if (sweeping) return { waitedMs: this.#options.announced() ? sweepEveryMs.announced : 0 }
    return fanOuts.length === 0 ? null : { eventIds: fanOuts.flatMap(({ eventIds }) => eventIds) }
  }

  #afterFanOut({ fanOuts }: Batch, sweeping: boolean, { moreInOutbox }: CycleResult): void {
    if (moreInOutbox || (sweeping && fanOuts.length > 0)) {
      this.#fanOuts = [...fanOuts, ...this.#fanOuts] // these events are no longer in the outbox
      this.#requested = true
    } else for (const { resolve } of fanOuts) resolve()
    if (!sweeping || moreInOutbox) return
    this.#sweepDueAt = Date.now() + (this.#options.announced() ? sweepEveryMs.announced : sweepEveryMs.unannounced)
  }

  #sleepUntil({ now, at, saturated }: Due): void {
    this.#saturated = saturated
    clearTimeout(this.#sleepTimer)
    if (this.#stage !== 'serving') return
    if (saturated && this.#slotFreed) this.wake()
    const nextMs = Math.min(at - now, this.#sweepDueAt - Date.now(), longestSleepMs)
    this.#sleepTimer = setTimeout(this.wake, Math.max(0, nextMs))
  }

  /** The batch is kept for as long as the database is unavailable. */
  async #backOff(error: unknown): Promise<void> {
    const failures = ++this.#failures
    this.#onProgress()
    this.#options.log('dispatcher.cycle_failed', { err: error, failures })
    await pause(backOffMs(backOff, failures - 1))
    this.#requested = true
  }
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  return new Dispatcher(options)
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve))
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
