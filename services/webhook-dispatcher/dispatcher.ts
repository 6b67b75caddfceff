import type { Database } from '#shared/data/database.ts'
import type { Holder } from '#shared/data/dispatch/claims.ts'
import type { OutboxSelection } from '#shared/data/dispatch/outbox.ts'
import type { Settlement } from '#shared/data/dispatch/settlements.ts'
import type { Logger } from '#shared/log/logger.ts'
import { type TurnResult, type TurnRules, takeTurn } from './cycle.ts'
import { createServing, type HeldClaim, type ServingOptions } from './workers.ts'

export type DispatcherOptions = Omit<ServingOptions, 'settle' | 'onPlace' | 'leaseMs'> & {
  db: Database
  log: Logger
  holder: Holder
  rules: TurnRules
  /** Whether events are announced; while they are not, the outbox is looked through every second. */
  announced(): boolean
}

export type Dispatcher = {
  /** Gives these events to webhooks; resolves after the commit. */
  giveOut(eventIds: readonly string[]): Promise<void>
  /** Something may be due: look now. */
  wake(): void
  /** Drops the open request of a webhook and gives its turn back. */
  stop(webhookId: string): void
  /** Whether the last turn could not be written. */
  failing(): boolean
  /** Webhooks being served. */
  serving(): number
  /** Claims nothing more, waits for open requests, drops what is left after `graceMs`, and writes every outcome. */
  drain(graceMs: number): Promise<void>
}

type Outcome = { settlement: Settlement; resolve(next: HeldClaim | null): void }
type Announcement = { eventIds: readonly string[]; resolve(): void }

const sweepMs = { announced: 5_000, alone: 1_000 } as const
const longestSleepMs = 5_000
/**
 * An outcome behind which nothing waits is in no hurry: it shares a turn with what comes next. At 200 deliveries a second
 * over 50 webhooks that halves the fight for the write lock (commit to receipt p99 120 ms without, 26 with).
 */
const companyMs = 4
const noPlaces = { fast: 0, slow: 0 } as const

/**
 * The loop of the dispatcher. Whatever becomes ready (an outcome, announced events, a due time, a doorbell) asks for a
 * turn; one turn runs at a time, takes everything that is ready into one transaction, and starts the attempts it claimed.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, log, holder, rules } = options
  let outcomes: Outcome[] = []
  let announcements: Announcement[] = []
  let draining = false
  /** Nothing is written any more: the database may be closed. */
  let over = false
  let turning = false
  let asked = false
  /** Whether the last turn had fewer places than it could have filled. */
  let crowded = false
  let failures = 0
  let sweepDueAt = 0
  let sleep: NodeJS.Timeout | undefined
  let company: NodeJS.Timeout | undefined

  const serving = createServing({
    ...options,
    leaseMs: holder.leaseMs,
    onPlace: () => crowded && ask(),
    settle: (settlement) =>
      new Promise((resolve) => {
        outcomes.push({ settlement, resolve })
        if (settlement.claim.more || draining) ask()
        else company ??= setTimeout(ask, companyMs)
      }),
  })

  function ask(): void {
    asked = true
    if (!turning && !over) void turns()
  }

  async function turns(): Promise<void> {
    turning = true
    while (asked && !over) {
      asked = false
      await nextTick() // what becomes ready in this turn of the event loop shares the transaction
      await turn()
      if (asked) await pause(1) // other processes get the write lock in between
    }
    turning = false
  }

  async function turn(): Promise<void> {
    clearTimeout(company)
    company = undefined
    const settling = outcomes
    const giving = announcements
    const sweeping = giving.length === 0 && Date.now() >= sweepDueAt
    outcomes = []
    announcements = []
    const claimSentAt = performance.now()
    try {
      const result = await takeTurn(db, work(settling, giving, sweeping), holder, rules)
      if (failures > 0) log.info({ failures }, 'turns succeed again')
      failures = 0
      afterSettling(settling, result, claimSentAt)
      afterGiving(giving, sweeping, result)
      for (const claim of result.claimed) serving.begin({ claim, claimSentAt })
      sleepUntilDue(result)
    } catch (error) {
      outcomes = [...settling, ...outcomes]
      announcements = [...giving, ...announcements]
      await waitOut(error)
    }
  }

  function work(settling: Outcome[], giving: Announcement[], sweeping: boolean) {
    return {
      settlements: settling.map(({ settlement }) => ({ ...settlement, goOn: settlement.goOn && !draining })),
      outbox: draining ? null : selection(giving, sweeping),
      places: draining ? noPlaces : serving.places(),
    }
  }

  function selection(giving: Announcement[], sweeping: boolean): OutboxSelection | null {
    if (giving.length > 0) return { eventIds: giving.flatMap(({ eventIds }) => eventIds) }
    if (!sweeping) return null
    return { waitedMs: options.announced() ? sweepMs.announced : 0 }
  }

  function afterSettling(settling: Outcome[], { next }: TurnResult, claimSentAt: number): void {
    const claims = new Map(next.map((claim) => [claim.webhookId, claim]))
    for (const { settlement, resolve } of settling) {
      const claim = claims.get(settlement.claim.webhookId)
      resolve(claim ? { claim, claimSentAt } : null)
    }
  }

  function afterGiving(giving: Announcement[], sweeping: boolean, { moreInOutbox }: TurnResult): void {
    if (moreInOutbox) {
      announcements = [...giving, ...announcements] // what is taken already is no longer there
      asked = true
      return
    }
    for (const { resolve } of giving) resolve()
    if (sweeping) sweepDueAt = Date.now() + (options.announced() ? sweepMs.announced : sweepMs.alone)
  }

  function sleepUntilDue({ now, dueAt, crowded: full }: TurnResult): void {
    crowded = full
    clearTimeout(sleep)
    if (draining) return
    sleep = setTimeout(ask, Math.min(Math.max(0, dueAt - now), Math.max(0, sweepDueAt - Date.now()), longestSleepMs))
  }

  /** What the turn was to write is kept, for as long as the database stays away; stale fences drop out when it is back. */
  async function waitOut(error: unknown): Promise<void> {
    failures++
    log.warn({ err: error, failures }, 'a turn failed and is tried again')
    await pause(Math.min(5_000, 50 * 2 ** Math.min(failures, 7)))
    asked = true
  }

  return {
    giveOut: (eventIds) =>
      new Promise((resolve) => {
        announcements.push({ eventIds, resolve })
        ask()
      }),
    wake: ask,
    stop: serving.stop,
    failing: () => failures > 0,
    serving: serving.count,
    async drain(graceMs) {
      draining = true
      clearTimeout(sleep)
      const idle = () => serving.count() === 0 && (!turning || failures > 0)
      await waitUntil(idle, graceMs)
      serving.stopAll()
      await waitUntil(idle, 2_000)
      over = true
      clearTimeout(company)
    },
  }
}

async function waitUntil(holds: () => boolean, withinMs: number): Promise<void> {
  const endsAt = performance.now() + withinMs
  while (!holds() && performance.now() < endsAt) await pause(10)
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve))
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
