import { toBoolean } from '#shared/data/columns.ts'
import type { Database, Transaction } from '#shared/data/database.ts'
import { beginAttempts, type Claim, claimDue, firstDue, type Holder } from '#shared/data/dispatch/claims.ts'
import { readNext } from '#shared/data/dispatch/next-deliveries.ts'
import {
  type FullBacklog,
  noEvents,
  planTaken,
  readFullBacklogs,
  takeEvents,
  writeFanOut,
} from '#shared/data/dispatch/outbox.ts'
import { hasMore, mayBegin, planQueues, type QueuePlan } from '#shared/data/dispatch/queue-plans.ts'
import { lockQueues } from '#shared/data/dispatch/queue-state.ts'
import {
  disableFailing,
  type OutcomeNews,
  outcomeNews,
  planSettlements,
  writeOutcomes,
} from '#shared/data/dispatch/settlements.ts'
import type { Lane } from '#shared/domain/webhook/queue.ts'
import { type Moved, moveOnTogether } from './cycle-together.ts'
import type { CycleRules, CycleWork } from './cycle-work.ts'

export type CycleResult = {
  /** Attempts to make now: `next` for webhooks that keep their lease, `claimed` for newly claimed ones. */
  next: Claim[]
  claimed: Claim[]
  /** Webhooks that got more deliveries while this dispatcher, or another one, serves them. */
  served: Record<'here' | 'elsewhere', string[]>
  moreInOutbox: boolean
  /** What an operator is told of webhooks. */
  outcomeNews: readonly OutcomeNews[]
  fullBacklogs: readonly FullBacklog[]
  /** How many events webhooks have missed. */
  missed: number
  /** Others changed a queue between what the cycle read and what it was to write. */
  contended: boolean
  /** What looking for due webhooks found; null when the cycle did not look. */
  due: Due | null
}

export type Due = {
  /** The database's time, and the earliest time at which a webhook is due in a lane with free slots. */
  now: number
  at: number
  /** A lane had no free slot for what may be due in it. */
  saturated: boolean
}

const noSlots = { fast: 0, slow: 0 } as const

/** A transaction of more delivery rows than this keeps other writers waiting. */
const maxDeliveries = 500

/**
 * One transaction for everything that is ready: it writes outcomes, fans events out to webhooks, begins attempts of webhooks
 * that were free, and claims others that are due. Under load cycles become larger, not more frequent.
 *
 * On a server several dispatchers run cycles at once without deadlocks: each skips events and due queues that another has
 * locked, and in between locks the queues of all its outcomes and events together, in the order of their ids.
 */
export async function runCycle(db: Database, work: CycleWork, holder: Holder, rules: CycleRules): Promise<CycleResult> {
  const { moved: together, contended } = await moveOnTogether(db, work, holder, rules)
  if (together) return { ...resultOf(together, holder), fullBacklogs: [], moreInOutbox: false, due: null, contended }
  return db.transaction(async (tx) => {
    const { outbox, slots } = work
    const taken = outbox ? await takeEvents(tx, outbox, { ...rules, limit: maxDeliveries }) : noEvents
    const { more, fullBacklogs, ...moved } = await moveOn(tx, { work, taken, holder, rules })
    const result = { ...resultOf(moved, holder), fullBacklogs, moreInOutbox: more, contended }
    if (!work.look && !leavesMore(moved)) return { ...result, due: null }
    const found = await claim(tx, lessSlots(slots, result.claimed), holder)
    return { ...result, claimed: [...result.claimed, ...found.claimed], due: found.due }
  })
}

function resultOf(
  { plans, begun, outcomeNews }: Moved,
  holder: Holder,
): Pick<CycleResult, 'next' | 'claimed' | 'served' | 'outcomeNews' | 'missed'> {
  const continuing = new Set(plans.filter(({ lease }) => lease === 'continues').map(({ queue }) => queue.webhookId))
  return {
    next: begun.filter(({ webhookId }) => continuing.has(webhookId)),
    claimed: begun.filter(({ webhookId }) => !continuing.has(webhookId)),
    served: servedOf(plans, holder),
    outcomeNews,
    missed: plans.reduce((sum, { missed }) => sum + missed, 0),
  }
}

type Cycle = { work: CycleWork; taken: Awaited<ReturnType<typeof takeEvents>>; holder: Holder; rules: CycleRules }

/** Writes outcomes and deliveries, and begins attempts of queues that this dispatcher holds or that were free. */
async function moveOn(tx: Transaction, { work, taken, holder, rules }: Cycle) {
  const { settlements } = work
  const slots = work.look ? noSlots : work.slots
  const webhookIds = [
    ...settlements.map(({ claim: { webhookId } }) => webhookId),
    ...taken.listeners.map(({ webhookId }) => webhookId),
  ]
  // The time is needed anyway, and pipelined on Postgres it costs nothing.
  const [locked, now] = await tx.pipeline([() => lockQueues(tx, webhookIds), () => tx.now()])
  const settled = planSettlements({ settlements, queues: locked, holder, rules, endedAt: now })
  const fanOut = planTaken(taken, { ...rules, queues: settled.queues, maxDeliveries })
  const plans = planQueues(settled.plans, { given: fanOut.queues, queues: settled.queues, slots })
  const disabled = await disableFailing(tx, settled, rules)
  const [, , next] = await tx.pipeline([
    () => writeOutcomes(tx, settled, now),
    () => writeFanOut(tx, fanOut, { ...rules, now }),
    () => readNext(tx, { webhookIds: mayBegin(plans), now }),
  ])
  const active = next.filter(({ activated }) => toBoolean(activated))
  return {
    plans,
    more: fanOut.more,
    begun: await beginAttempts(tx, plans, { next: active, holder, now }),
    outcomeNews: outcomeNews(settled, disabled),
    fullBacklogs: await readFullBacklogs(tx, fanOut),
  }
}

function servedOf(plans: readonly QueuePlan[], { owner }: Holder): CycleResult['served'] {
  const served: CycleResult['served'] = { here: [], elsewhere: [] }
  for (const { lease, queue } of plans) {
    if (lease === 'served') served[queue.leaseOwner === owner ? 'here' : 'elsewhere'].push(queue.webhookId)
  }
  return served
}

/** Whether a queue is free now although deliveries of it wait. */
function leavesMore({ plans, begun }: Moved): boolean {
  const served = new Set(begun.map(({ webhookId }) => webhookId))
  return plans.some(({ lease, queue }) => lease !== 'served' && hasMore(queue) && !served.has(queue.webhookId))
}

function lessSlots(slots: Record<Lane, number>, claimed: readonly Claim[]): Record<Lane, number> {
  const taken = (lane: Lane) => claimed.filter((claim) => claim.lane === lane).length
  return { fast: slots.fast - taken('fast'), slow: slots.slow - taken('slow') }
}

/** How soon to look again at a webhook that another dispatcher or a gateway has locked. */
const lockedRetryMs = 5

/** Most looks find nothing due, which one statement finds out for both lanes. */
async function claim(
  tx: Transaction,
  slots: Record<Lane, number>,
  holder: Holder,
): Promise<{ claimed: Claim[]; due: Due }> {
  const now = await tx.now()
  const free = { ...slots }
  const claimed: Claim[] = []
  let first = await firstDue(tx)
  for (const lane of lanes) {
    if (free[lane] === 0 || first[lane] > now) continue
    const found = await claimDue(tx, { ...holder, lane, limit: free[lane] })
    free[lane] -= found.length
    claimed.push(...found)
  }
  if (claimed.length > 0) first = await firstDue(tx)
  const open = lanes.filter((lane) => free[lane] > 0)
  // A webhook that is due and was not claimed is locked by another process, which may or may not claim it.
  const at = Math.max(Math.min(Number.POSITIVE_INFINITY, ...open.map((lane) => first[lane])), now + lockedRetryMs)
  return { claimed, due: { now, at, saturated: open.length < lanes.length } }
}

const lanes = ['fast', 'slow'] as const
