import type { Database } from '#shared/data/database.ts'
import type { Claim, Holder } from '#shared/data/dispatch/claims.ts'
import { runCycle } from '#shared/data/dispatch/cycle.ts'
import type { CycleRules } from '#shared/data/dispatch/cycle-plan.ts'
import { createListeners } from '#shared/data/dispatch/outbox/listeners.ts'
import type { OutboxSelection } from '#shared/data/dispatch/outbox/outbox.ts'
import type { Settlement } from '#shared/data/dispatch/settlements.ts'
import { testId } from '../databases/contents/rows.ts'

const noSlots = { fast: 0, slow: 0 } as const
const retrySeconds = [30, 120, 600, 3600, 10800, 21600, 43200]
const rules = { retrySeconds, disableAfter: 20, newId: testId, listeners: createListeners() }

/** Runs dispatcher cycles that only fan out events, by default all waiting ones, until none is left. */
export async function fanOut(
  db: Database,
  {
    outbox = { waitedMs: 0 },
    maxWaiting = 1_000,
    maxHeld = 1_000_000,
  }: { outbox?: OutboxSelection; maxWaiting?: number; maxHeld?: number } = {},
): Promise<void> {
  const holder = { owner: 'fan-out', leaseMs: 1 }
  const cycle = () =>
    runCycle(db, { settlements: [], outbox, slots: noSlots, claimDue: false }, holder, {
      ...rules,
      maxWaiting,
      maxHeld,
    })
  while ((await cycle()).moreInOutbox);
}

/**
 * Runs a dispatcher cycle that writes outcomes and, when it gets events, fans them out.
 * @returns the next claims of webhooks that continue
 */
export async function settle(
  db: Database,
  settlements: readonly Settlement[],
  holder: Holder,
  { outbox = null, ...cycleRules }: Partial<CycleRules> & { outbox?: OutboxSelection | null } = {},
): Promise<Claim[]> {
  const work = { settlements, outbox, slots: noSlots, claimDue: false }
  return (await runCycle(db, work, holder, { ...rules, maxWaiting: 1_000, maxHeld: 1_000_000, ...cycleRules })).next
}
