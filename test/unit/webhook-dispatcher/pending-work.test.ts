import test from 'ava'
import { createPendingWork, resolveOutcomes } from '#services/webhook-dispatcher/pending-work.ts'
import type { Claim } from '#shared/data/dispatch/claims.ts'

const claimOf = (fence: number) => ({ webhookId: 'w', fence }) as Claim
const settlementOf = (fence: number) => ({
  claim: claimOf(fence),
  lane: 'fast' as const,
  shouldContinue: true,
  outcome: { status: 204, body: '', durationMs: 1, error: null },
})

test('a next claim goes to the worker that holds its lease, not to one that has lost it to the same process', async (t) => {
  const pending = createPendingWork()
  const next = [pending.addOutcome(settlementOf(1)), pending.addOutcome(settlementOf(2))]
  const claim = claimOf(2)
  resolveOutcomes(pending.take(), [claim], 7)
  t.deepEqual(await Promise.all(next), [null, { claim, claimSentAt: 7 }])
})
