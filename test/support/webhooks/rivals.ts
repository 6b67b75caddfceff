import type { Database } from '#shared/data/database.ts'
import type { Claim } from '#shared/data/dispatch/claims.ts'
import { runCycle } from '#shared/data/dispatch/cycle.ts'
import { createListeners } from '#shared/data/dispatch/outbox/listeners.ts'
import type { OutboxSelection } from '#shared/data/dispatch/outbox/outbox.ts'
import { enqueuedEvents } from '#shared/data/events/committed.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import type { AttemptOutcome } from '#shared/domain/webhook/deliveries/delivery.ts'
import { itemChange, testId } from '../databases/contents/rows.ts'

/** Options of a dispatcher; by default it fans out everything, and its attempts succeed. */
export type RivalOptions = {
  outbox?: OutboxSelection | null
  outcome?: AttemptOutcome
  maxWaiting?: number
  maxHeld?: number
  retrySeconds?: readonly number[]
  /** Whether a webhook's lease is kept after an attempt; otherwise every other cycle releases it. */
  shouldContinue?: boolean
}

export const succeeds: AttemptOutcome = { status: 204, body: '', durationMs: 1, error: null }
export const fails: AttemptOutcome = { status: 500, body: 'no', durationMs: 1, error: null }

export type Rival = {
  /** All attempts that it has begun. */
  begun: Claim[]
  /** Runs one cycle: settles the attempts that the previous one began, and claims more. @returns whether it had work */
  cycle(): Promise<boolean>
  /** Runs cycles until `shouldContinue` is false and several in a row had no work. */
  work(shouldContinue: () => boolean): Promise<void>
}

/** A dispatcher that sends no requests: it settles its claims in its next cycle. */
export function makeRival(db: Database, owner: string, options: RivalOptions = {}): Rival {
  const {
    outbox = { waitedMs: 0 },
    outcome = succeeds,
    maxWaiting = 1_000,
    maxHeld = 1_000_000,
    retrySeconds = [30],
    shouldContinue = true,
  } = options
  const rules = { retrySeconds, disableAfter: 20, maxWaiting, maxHeld, newId: testId, listeners: createListeners() }
  const begun: Claim[] = []
  let open: Claim[] = []
  let cycles = 0

  async function cycle(): Promise<boolean> {
    // Every other one takes only announced events and free webhooks, and mostly needs no transaction.
    const claimDue = cycles++ % 2 === 0
    const settlements = open.map((claim) => {
      return { claim, outcome, lane: claim.lane, shouldContinue: shouldContinue || !claimDue }
    })
    const slots = { fast: Math.max(0, 4 - open.length), slow: 4 }
    const work = { settlements, outbox: claimDue ? outbox : outbox && (await announced(db)), slots, claimDue }
    const result = await runCycle(db, work, { owner, leaseMs: 30_000 }, rules)
    const busy = open.length > 0 || result.moreInOutbox
    open = [...result.next, ...result.claimed]
    begun.push(...open)
    return busy || open.length > 0
  }

  return {
    begun,
    cycle,
    async work(shouldContinue) {
      for (let idle = 0; idle < 3 || shouldContinue(); ) {
        idle = (await cycle()) ? 0 : idle + 1
        if (idle > 0) await new Promise((resolve) => setTimeout(resolve, 1))
      }
    },
  }
}

async function announced(db: Database): Promise<OutboxSelection> {
  const rows = await db.all<{ event_id: string }>('select event_id from outbox order by event_id limit 8')
  return { eventIds: rows.map(({ event_id }) => event_id) }
}

/** Commits creations of items. @returns the ids of their events */
export async function commitEvents(
  db: Database,
  at: { accountId: string; listId: string },
  count: number,
): Promise<string[]> {
  const eventIds: string[] = []
  const committer = createCommitter(db, { announce: (committed) => eventIds.push(...enqueuedEvents(committed)) })
  await Promise.all(Array.from({ length: count }, () => committer.commit(itemChange(at))))
  await committer.close()
  return eventIds.sort()
}
