import type { Database, Transaction } from '#shared/data/database.ts'
import { type Claim, claimDue, firstDue, type Holder } from '#shared/data/dispatch/claims.ts'
import { fanOut, noEvents, type OutboxSelection, takeEvents } from '#shared/data/dispatch/outbox.ts'
import { lockQueues } from '#shared/data/dispatch/queue-state.ts'
import { type Settlement, type SettleRules, settle } from '#shared/data/dispatch/settlements.ts'
import type { Lane } from '#shared/domain/webhook/queue.ts'

/** What one cycle of the dispatcher is to do. */
export type CycleWork = {
  settlements: readonly Settlement[]
  /** Outbox rows to fan out; null: none. */
  outbox: OutboxSelection | null
  /** Free slots per lane; zeros while draining. */
  slots: Record<Lane, number>
}

export type CycleResult = {
  /** Attempts to make now: `next` for webhooks that keep their lease, `claimed` for newly claimed ones. */
  next: Claim[]
  claimed: Claim[]
  moreInOutbox: boolean
  /** The database's time, and the earliest time at which a webhook is due in a lane with free slots. */
  now: number
  dueAt: number
  /** A lane had no free slot for what may be due in it. */
  saturated: boolean
}

export type CycleRules = SettleRules & { maxWaiting: number }

/** A transaction of more delivery rows than this keeps other writers waiting. */
const maxDeliveries = 500

/**
 * One transaction for everything that is ready: it writes outcomes, fans events out to webhooks, and claims webhooks that
 * are due, including those that an event just made due. Under load cycles become larger, not more frequent.
 *
 * On a server several dispatchers run cycles at once without deadlocks: each skips events and due queues that another has
 * locked, and in between locks the queues of all its outcomes and events together, in the order of their ids.
 */
export function runCycle(db: Database, work: CycleWork, holder: Holder, rules: CycleRules): Promise<CycleResult> {
  return db.transaction(async (tx) => {
    const { settlements, outbox, slots } = work
    const taken = outbox ? await takeEvents(tx, outbox, maxDeliveries) : noEvents
    const webhookIds = [
      ...settlements.map(({ claim: { webhookId } }) => webhookId),
      ...taken.subscribers.map(({ webhookId }) => webhookId),
    ]
    // The time is needed anyway, and pipelined on Postgres it costs nothing.
    const [locked] = await tx.pipeline([() => lockQueues(tx, webhookIds), () => tx.now()])
    const { next, queues } = await settle(tx, { settlements, queues: locked, holder, rules })
    const { more } = await fanOut(tx, taken, { ...rules, queues, maxDeliveries })
    return { next, moreInOutbox: more, ...(await claim(tx, slots, holder)) }
  })
}

/** How soon to look again at a webhook that another dispatcher or a gateway has locked. */
const lockedRetryMs = 5

/** Most cycles find nothing due beyond what they settled, which one statement finds out for both lanes. */
async function claim(tx: Transaction, slots: Record<Lane, number>, holder: Holder) {
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
  const dueAt = Math.max(Math.min(Number.POSITIVE_INFINITY, ...open.map((lane) => first[lane])), now + lockedRetryMs)
  return { now, claimed, dueAt, saturated: open.length < lanes.length }
}

const lanes = ['fast', 'slow'] as const
