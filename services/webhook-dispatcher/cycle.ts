import type { Database, Transaction } from '#shared/data/database.ts'
import { type Claim, claimDue, firstDue, type Holder } from '#shared/data/dispatch/claims.ts'
import { giveOut, nothingTaken, type OutboxSelection, takeEvents } from '#shared/data/dispatch/outbox.ts'
import { type Lane, lockHeads } from '#shared/data/dispatch/queue-state.ts'
import { type Settlement, type SettleRules, settle } from '#shared/data/dispatch/settlements.ts'

/** What one turn of the dispatcher is to do. */
export type TurnWork = {
  settlements: readonly Settlement[]
  /** Outbox rows to give out; null: none. */
  outbox: OutboxSelection | null
  /** Free places per lane; zeros while draining. */
  places: Record<Lane, number>
}

export type TurnResult = {
  /** Attempts to make now: the next of webhooks that went on, and those of webhooks newly claimed. */
  next: Claim[]
  claimed: Claim[]
  moreInOutbox: boolean
  /** The database's time, and the earliest time at which a webhook is due in a lane that has places left. */
  now: number
  dueAt: number
  /** A lane had no place left for what may be due in it. */
  crowded: boolean
}

export type TurnRules = SettleRules & { maxWaiting: number }

/** A transaction of more delivery rows than this keeps other writers waiting. */
const maxDeliveries = 500

/**
 * One transaction for everything that is ready: outcomes are written, events are given to webhooks, and webhooks that are
 * due are claimed, also those that an event just woke. Under load its size grows and its number does not.
 *
 * Several dispatchers take turns at once on a server, and none waits for another that waits for it: events and due heads
 * that another one has locked are left to it, and in between the heads of all outcomes and events are locked together, in
 * the order of their ids.
 */
export function takeTurn(db: Database, work: TurnWork, holder: Holder, rules: TurnRules): Promise<TurnResult> {
  return db.transaction(async (tx) => {
    const { settlements, outbox, places } = work
    const taken = outbox ? await takeEvents(tx, outbox, maxDeliveries) : nothingTaken
    const webhookIds = [
      ...settlements.map(({ claim: { webhookId } }) => webhookId),
      ...taken.listeners.map(({ webhookId }) => webhookId),
    ]
    // The clock is wanted in any case, and on Postgres this way it costs nothing.
    const [heads] = await tx.inOrder([() => lockHeads(tx, webhookIds), () => tx.now()])
    const next = await settle(tx, { settlements, heads, holder, rules })
    const { more } = await giveOut(tx, taken, { ...rules, heads, maxDeliveries })
    return { next, moreInOutbox: more, ...(await claim(tx, places, holder)) }
  })
}

/** How soon a webhook is looked at again that another dispatcher or a gateway has locked. */
const lookAgainMs = 5

/** Most turns find nothing due beyond what they settled: one look says so for both lanes. */
async function claim(tx: Transaction, places: Record<Lane, number>, holder: Holder) {
  const now = await tx.now()
  const free = { ...places }
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
  // What is due and was not claimed has been locked by somebody else, who may claim it or not.
  const dueAt = Math.max(Math.min(Number.POSITIVE_INFINITY, ...open.map((lane) => first[lane])), now + lookAgainMs)
  return { now, claimed, dueAt, crowded: open.length < lanes.length }
}

const lanes = ['fast', 'slow'] as const
