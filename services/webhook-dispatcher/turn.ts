import { type Claim, claimDue, type Holder, type Lane, nextDueAt } from '#shared/data/claims.ts'
import type { Database } from '#shared/data/database.ts'
import { fanOut, type OutboxSelection } from '#shared/data/outbox.ts'
import { type Settlement, type SettleRules, settle } from '#shared/data/settlements.ts'

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
  fannedOut: number
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
 */
export function takeTurn(db: Database, work: TurnWork, holder: Holder, rules: TurnRules): Promise<TurnResult> {
  return db.transaction(async (tx) => {
    const next = await settle(tx, work.settlements, holder, rules)
    const given = work.outbox ? await fanOut(tx, work.outbox, { ...rules, maxDeliveries }) : { taken: 0, more: false }
    const claimed: Claim[] = []
    let dueAt = Number.POSITIVE_INFINITY
    let crowded = false
    for (const lane of ['fast', 'slow'] as const) {
      const places = work.places[lane]
      const found = places > 0 ? await claimDue(tx, { ...holder, lane, limit: places }) : []
      claimed.push(...found)
      if (found.length < places) dueAt = Math.min(dueAt, await nextDueAt(tx, lane))
      else crowded = true
    }
    return { next, claimed, fannedOut: given.taken, moreInOutbox: given.more, now: await tx.now(), dueAt, crowded }
  })
}
