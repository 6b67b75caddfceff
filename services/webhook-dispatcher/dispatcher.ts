import type { Database } from '#shared/data/database.ts'
import type { Holder } from '#shared/data/dispatch/claims.ts'
import type { OutboxSelection } from '#shared/data/dispatch/outbox.ts'
import type { Settlement } from '#shared/data/dispatch/settlements.ts'
import type { Logger } from '#shared/log/logger.ts'
import { type CycleResult, type CycleRules, runCycle } from './cycle.ts'
import { createWorkers, type HeldClaim, type WorkerOptions } from './workers.ts'

export type DispatcherOptions = Omit<WorkerOptions, 'settle' | 'onSlot' | 'leaseMs'> & {
  db: Database
  log: Logger
  holder: Holder
  rules: CycleRules
  /** Whether events are announced; while they are not, the outbox is looked through every second. */
  announced(): boolean
}

export type Dispatcher = {
  /** Gives these events to webhooks; resolves after the commit. */
  fanOut(eventIds: readonly string[]): Promise<void>
  /** Something may be due: look now. */
  wake(): void
  /** Drops the open request of a webhook and gives its lease back. */
  stop(webhookId: string): void
  /** Whether the last cycle could not be written. */
  failing(): boolean
  /** Webhooks being served. */
  serving(): number
  /** Claims nothing more, waits for open requests, drops what is left after `graceMs`, and writes every outcome. */
  drain(graceMs: number): Promise<void>
}

type Outcome = { settlement: Settlement; resolve(next: HeldClaim | null): void }
type FanOutRequest = { eventIds: readonly string[]; resolve(): void }

const sweepEveryMs = { announced: 5_000, alone: 1_000 } as const
const longestSleepMs = 5_000
/**
 * An outcome behind which nothing waits is in no hurry: it shares a cycle with what comes next. At 200 deliveries a second
 * over 50 webhooks that halves the fight for the write lock (commit to receipt p99 120 ms without, 26 with).
 */
const lingerMs = 4
const noSlots = { fast: 0, slow: 0 } as const

/**
 * The loop of the dispatcher. Whatever becomes ready (an outcome, announced events, a due time, a doorbell) asks for a
 * cycle; one cycle runs at a time, takes everything that is ready into one transaction, and starts the attempts it claimed.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, log, holder, rules } = options
  let outcomes: Outcome[] = []
  let fanOutRequests: FanOutRequest[] = []
  let draining = false
  /** Nothing is written any more: the database may be closed. */
  let closed = false
  let running = false
  let requested = false
  /** Whether the last cycle had fewer slots than it could have filled. */
  let saturated = false
  let failures = 0
  let sweepDueAt = 0
  let sleep: NodeJS.Timeout | undefined
  let lingering: NodeJS.Timeout | undefined

  const workers = createWorkers({
    ...options,
    leaseMs: holder.leaseMs,
    onSlot: () => saturated && requestCycle(),
    settle: (settlement) =>
      new Promise((resolve) => {
        outcomes.push({ settlement, resolve })
        if (settlement.claim.more || draining) requestCycle()
        else lingering ??= setTimeout(requestCycle, lingerMs)
      }),
  })

  function requestCycle(): void {
    requested = true
    if (!running && !closed) void runCycles()
  }

  async function runCycles(): Promise<void> {
    running = true
    while (requested && !closed) {
      requested = false
      await nextTick() // what becomes ready in this cycle of the event loop shares the transaction
      await runOne()
      if (requested) await pause(1) // other processes get the write lock in between
    }
    running = false
  }

  async function runOne(): Promise<void> {
    clearTimeout(lingering)
    lingering = undefined
    const settling = outcomes
    const giving = fanOutRequests
    const sweeping = giving.length === 0 && Date.now() >= sweepDueAt
    outcomes = []
    fanOutRequests = []
    const claimSentAt = performance.now()
    try {
      const result = await runCycle(db, work(settling, giving, sweeping), holder, rules)
      if (failures > 0) log('dispatcher.cycle_recovered', { failures })
      failures = 0
      afterSettling(settling, result, claimSentAt)
      afterFanOut(giving, sweeping, result)
      for (const claim of result.claimed) workers.start({ claim, claimSentAt })
      sleepUntilDue(result)
    } catch (error) {
      outcomes = [...settling, ...outcomes]
      fanOutRequests = [...giving, ...fanOutRequests]
      await waitOut(error)
    }
  }

  function work(settling: Outcome[], giving: FanOutRequest[], sweeping: boolean) {
    return {
      settlements: settling.map(({ settlement }) => ({
        ...settlement,
        shouldContinue: settlement.shouldContinue && !draining,
      })),
      outbox: draining ? null : selection(giving, sweeping),
      slots: draining ? noSlots : workers.freeSlots(),
    }
  }

  function selection(giving: FanOutRequest[], sweeping: boolean): OutboxSelection | null {
    if (giving.length > 0) return { eventIds: giving.flatMap(({ eventIds }) => eventIds) }
    if (!sweeping) return null
    return { waitedMs: options.announced() ? sweepEveryMs.announced : 0 }
  }

  function afterSettling(settling: Outcome[], { next }: CycleResult, claimSentAt: number): void {
    const claims = new Map(next.map((claim) => [claim.webhookId, claim]))
    for (const { settlement, resolve } of settling) {
      const claim = claims.get(settlement.claim.webhookId)
      resolve(claim ? { claim, claimSentAt } : null)
    }
  }

  function afterFanOut(giving: FanOutRequest[], sweeping: boolean, { moreInOutbox }: CycleResult): void {
    if (moreInOutbox) {
      fanOutRequests = [...giving, ...fanOutRequests] // what is taken already is no longer there
      requested = true
      return
    }
    for (const { resolve } of giving) resolve()
    if (sweeping) sweepDueAt = Date.now() + (options.announced() ? sweepEveryMs.announced : sweepEveryMs.alone)
  }

  function sleepUntilDue({ now, dueAt, saturated: full }: CycleResult): void {
    saturated = full
    clearTimeout(sleep)
    if (draining) return
    sleep = setTimeout(
      requestCycle,
      Math.min(Math.max(0, dueAt - now), Math.max(0, sweepDueAt - Date.now()), longestSleepMs),
    )
  }

  /** What the cycle was to write is kept, for as long as the database stays away; stale fences drop out when it is back. */
  async function waitOut(error: unknown): Promise<void> {
    failures++
    log('dispatcher.cycle_failed', { err: error, failures })
    await pause(Math.min(5_000, 50 * 2 ** Math.min(failures, 7)))
    requested = true
  }

  return {
    fanOut: (eventIds) =>
      new Promise((resolve) => {
        fanOutRequests.push({ eventIds, resolve })
        requestCycle()
      }),
    wake: requestCycle,
    stop: workers.stop,
    failing: () => failures > 0,
    serving: workers.count,
    async drain(graceMs) {
      draining = true
      clearTimeout(sleep)
      const idle = () => workers.count() === 0 && (!running || failures > 0)
      await waitUntil(idle, graceMs)
      workers.stopAll()
      await waitUntil(idle, 2_000)
      closed = true
      clearTimeout(lingering)
    },
  }
}

async function waitUntil(holds: () => boolean, withinMs: number): Promise<void> {
  const endsAt = performance.now() + withinMs
  while (!holds() && performance.now() < endsAt) await pause(10)
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve))
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
