import type { Claim } from '#shared/data/dispatch/claims.ts'
import type { Settlement } from '#shared/data/dispatch/settlements.ts'
import type { HeldClaim } from './workers.ts'

/** An outcome to write; resolves with the webhook's next claim, or null when its lease was given back. */
type Outcome = { settlement: Settlement; resolve(next: HeldClaim | null): void }
/** Announced events to fan out; resolves after the commit. */
type FanOutRequest = { eventIds: readonly string[]; resolve(): void }

/** What one cycle works on. A cycle that failed puts its batch back. */
export type Batch = { outcomes: readonly Outcome[]; fanOuts: readonly FanOutRequest[] }

type PendingWork = {
  addOutcome(settlement: Settlement): Promise<HeldClaim | null>
  addFanOut(eventIds: readonly string[]): Promise<void>
  /** Notes with waiting outcomes that these webhooks have got more deliveries since their attempts began. */
  expectMore(webhookIds: readonly string[]): void
  /** Everything that waits. */
  take(): Batch
  /** Puts work back in front of what has come since. */
  putBack(batch: Partial<Batch>): void
}

/** What waits for the next cycle, in the order in which it came. */
export function createPendingWork(): PendingWork {
  let outcomes: Outcome[] = []
  let fanOuts: FanOutRequest[] = []
  return {
    addOutcome: (settlement) =>
      new Promise((resolve) => {
        outcomes.push({ settlement, resolve })
      }),
    addFanOut: (eventIds) =>
      new Promise((resolve) => {
        fanOuts.push({ eventIds, resolve })
      }),
    expectMore(webhookIds) {
      outcomes = outcomes.map((outcome) => (webhookIds.includes(webhookOf(outcome)) ? withMore(outcome) : outcome))
    },
    take() {
      const batch = { outcomes, fanOuts }
      outcomes = []
      fanOuts = []
      return batch
    },
    putBack(batch) {
      outcomes = [...(batch.outcomes ?? []), ...outcomes]
      fanOuts = [...(batch.fanOuts ?? []), ...fanOuts]
    },
  }
}

function webhookOf({ settlement }: Outcome): string {
  return settlement.claim.webhookId
}

function withMore({ settlement, resolve }: Outcome): Outcome {
  return { resolve, settlement: { ...settlement, claim: { ...settlement.claim, more: true } } }
}

/**
 * Hands each worker its webhook's next claim, now that its outcome is written. One whose lease ran out while this process claimed
 * the webhook again gets none: the claim is the other worker's.
 */
export function resolveOutcomes({ outcomes }: Batch, next: readonly Claim[], claimSentAt: number): void {
  const claims = new Map(next.map((claim) => [claim.webhookId, claim]))
  for (const { settlement, resolve } of outcomes) {
    const claim = claims.get(settlement.claim.webhookId)
    resolve(claim?.fence === settlement.claim.fence ? { claim, claimSentAt } : null)
  }
}
