import type { Lane } from '#shared/domain/webhook/deliveries/queue.ts'
import type { Database } from '../database.ts'
import type { ToldBacklogNews } from './backlog-changes.ts'
import type { Claim, Holder } from './claims.ts'
import {
  type Cycle,
  type CyclePlan,
  type CycleRules,
  type CycleState,
  type CycleWork,
  type DispatchStore,
  planCycle,
  type WrittenPlan,
} from './cycle-plan.ts'
import { type Due, type LockedStore, lockedStore } from './locked-store.ts'
import { canBeOptimistic, NeedsLocks, optimisticStore } from './optimistic-store.ts'
import { leavesWaiting, type QueueChange } from './queue-state.ts'
import { type OutcomeNews, outcomeNews } from './settlements.ts'

export type CycleResult = {
  /** Attempts to send now: `next` for webhooks that keep their lease, `claimed` for newly claimed ones. */
  next: Claim[]
  claimed: Claim[]
  /** Webhooks that received more deliveries while this dispatcher, or another one, has leased them. */
  leased: Record<'here' | 'elsewhere', string[]>
  moreInOutbox: boolean
  /** Changes of webhooks that are reported to the operator. */
  outcomeNews: readonly OutcomeNews[]
  backlogNews: readonly ToldBacklogNews[]
  /** The number of events that webhooks have missed. */
  missed: number
  /** Another process changed a queue between the reads and the write of the cycle. */
  contended: boolean
  /** What is due next; null when the cycle has not claimed what is due. */
  due: Due | null
}

/**
 * One cycle of the dispatcher for everything that is ready: it reads, plans and writes outcomes, fans events out to webhooks, starts
 * attempts of webhooks that were free, and claims others that are due, all or nothing. Under load, cycles become larger, not more frequent.
 * Most need no locks; the others, and those that met a concurrent change, run as one transaction.
 */
export async function runCycle(db: Database, work: CycleWork, holder: Holder, rules: CycleRules): Promise<CycleResult> {
  const { atomicBatch } = db
  const cycle = { work, holder, rules }
  let contended = false
  if (atomicBatch && canBeOptimistic(cycle)) {
    try {
      const done = await carryOut(optimisticStore({ db, atomicBatch }, cycle), cycle)
      return { ...resultOf(done, holder), due: null, contended }
    } catch (error) {
      if (!(error instanceof NeedsLocks)) throw error
      contended = error.contended
    }
  }
  return db.transaction(async (tx) => ({ ...(await runLocked(lockedStore(tx, cycle), cycle)), contended }))
}

/** Due queues are claimed last, to keep the order of locks. */
async function runLocked(store: LockedStore, cycle: Cycle): Promise<Omit<CycleResult, 'contended'>> {
  const { work, holder } = cycle
  const done = await carryOut(store, cycle)
  const result = resultOf(done, holder)
  if (!work.claimDue && !done.changes.some(leavesWaiting)) return { ...result, due: null }
  const { plan, disabled, backlogNews } = done
  const slots = lessSlots(work.slots, result.claimed)
  const isQuiet = disabled.length + backlogNews.length === 0
  const { claimed, due, ...found } = await store.claimDue({ slots, plan, isQuiet })
  return {
    ...result,
    claimed: [...result.claimed, ...claimed],
    backlogNews: [...backlogNews, ...found.backlogNews],
    due,
  }
}

type Done = { plan: CyclePlan } & WrittenPlan

async function carryOut<State extends CycleState>(store: DispatchStore<State>, cycle: Cycle): Promise<Done> {
  const state = await store.read()
  const plan = planCycle(state, cycle)
  return { plan, ...(await store.write(plan, state)) }
}

function resultOf(
  { plan, changes, claims, disabled, backlogNews }: Done,
  holder: Holder,
): Omit<CycleResult, 'due' | 'contended'> {
  const continuing = new Set(changes.filter(({ lease }) => lease === 'continues').map(({ queue }) => queue.webhookId))
  return {
    next: claims.filter(({ webhookId }) => continuing.has(webhookId)),
    claimed: claims.filter(({ webhookId }) => !continuing.has(webhookId)),
    leased: leasedOf(changes, holder),
    moreInOutbox: plan.moreInOutbox,
    outcomeNews: outcomeNews(plan.outcomes, disabled),
    backlogNews,
    missed: changes.reduce((sum, { missed }) => sum + missed, 0),
  }
}

function leasedOf(changes: readonly QueueChange[], { owner }: Holder): CycleResult['leased'] {
  const leased: CycleResult['leased'] = { here: [], elsewhere: [] }
  for (const { lease, queue } of changes) {
    if (lease === 'leased') leased[queue.leaseOwner === owner ? 'here' : 'elsewhere'].push(queue.webhookId)
  }
  return leased
}

function lessSlots(slots: Record<Lane, number>, claimed: readonly Claim[]): Record<Lane, number> {
  const taken = (lane: Lane) => claimed.filter((claim) => claim.lane === lane).length
  return { fast: slots.fast - taken('fast'), slow: slots.slow - taken('slow') }
}
