import test from 'ava'
import { DeliveryWorkers, resolveOutcomes } from '#services/webhook-dispatcher/workers.ts'
import type { Claim } from '#shared/data/dispatch/claims.ts'

const claimOf = (fence: number, deliveryId: string) =>
  ({ webhookId: 'w', fence, deliveryId, lane: 'fast', startsInMs: 0 }) as Claim

/** Runs everything that waits only for promises. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('an attempt that has not begun is not sent if its webhook is stopped', async (t) => {
  const { promise: ready, resolve: onReady } = Promise.withResolvers<unknown>()
  const workers = new DeliveryWorkers({
    concurrency: 2,
    leaseMs: Number.MAX_SAFE_INTEGER,
    timeoutMs: 1_000,
    attempt: () => Promise.reject(new Error('it was sent')),
    onOutcome() {},
    onReady,
    onSlot() {},
  })
  workers.start({ claim: { ...claimOf(1, 'early'), startsInMs: 20 }, claimSentAt: 0 })
  workers.stop('w')
  await ready
  t.like(workers.takeOutcomes(), [{ settlement: { outcome: { error: 'interrupted' } } }])
})

test('the next claim goes to the worker that holds its lease, not to one that lost it to the same process', async (t) => {
  const sent: string[] = []
  const workers = new DeliveryWorkers({
    concurrency: 2,
    leaseMs: Number.MAX_SAFE_INTEGER,
    timeoutMs: 1_000,
    async attempt({ deliveryId }) {
      sent.push(deliveryId)
      return { status: 204, body: '', durationMs: 1, error: null }
    },
    onOutcome() {},
    onReady() {},
    onSlot() {},
  })
  workers.start({ claim: claimOf(1, 'lost'), claimSentAt: 0 })
  workers.start({ claim: claimOf(2, 'first'), claimSentAt: 0 })
  await settled()
  resolveOutcomes(workers.takeOutcomes(), [claimOf(2, 'next')], 0)
  await settled()
  t.deepEqual(sent, ['lost', 'first', 'next'])
  const [outcome, ...others] = workers.takeOutcomes()
  t.deepEqual([outcome?.settlement.claim.deliveryId, others], ['next', []])
})
