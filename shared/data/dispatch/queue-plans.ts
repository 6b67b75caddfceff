import type { FanOut } from '#shared/domain/webhook/fan-out.ts'
import type { Lane } from '#shared/domain/webhook/queue.ts'
import type { LockedQueue, LockedQueues, QueueChange } from './queue-state.ts'

/** What is to become of a locked queue, while it is not known yet whether a delivery of it is due. */
export type QueuePlan = Pick<QueueChange, 'queue' | 'settled' | 'missed'> & {
  /**
   * `served`: it stays leased for an attempt that is open; `free`: nobody has it. The other two begin an attempt if a delivery
   * is due, and are free otherwise: `continues` keeps the lease under which an outcome was settled, `begins` takes a free queue.
   */
  lease: 'served' | 'free' | 'continues' | 'begins'
}

/**
 * Adds to the queues of settled outcomes what events bring them, and the other queues that get something. Of these a free one
 * begins at once while its lane has a slot, so that a delivery needs no other transaction to be claimed.
 */
export function planQueues(
  settled: readonly QueuePlan[],
  { given, queues, slots }: { given: FanOut['queues']; queues: LockedQueues; slots: Record<Lane, number> },
): QueuePlan[] {
  const plans = new Map(settled.map((plan) => [plan.queue.webhookId, plan]))
  const free = { ...slots }
  for (const { webhookId, added, missed, backlogFull } of given) {
    const queue = queues.get(webhookId)
    if (!queue) continue
    const plan = plans.get(webhookId) ?? { queue, settled: null, missed: 0, lease: leaseOf(queue, free) }
    plans.set(webhookId, {
      ...plan,
      missed,
      queue: { ...plan.queue, waiting: plan.queue.waiting + added, backlogFull },
    })
  }
  return [...plans.values()]
}

/** Takes a slot for a queue that is free. An expired lease is left to `claimDue`, which ends its open attempt. */
function leaseOf({ leaseOwner, lane }: LockedQueue, free: Record<Lane, number>): QueuePlan['lease'] {
  if (leaseOwner !== null) return 'served'
  if (free[lane] <= 0) return 'free'
  free[lane]--
  return 'begins'
}

/** The webhooks of which an attempt begins if a delivery of them is due. */
export function mayBegin(plans: readonly QueuePlan[]): string[] {
  return plans
    .filter(({ lease, queue }) => (lease === 'continues' || lease === 'begins') && hasMore(queue))
    .map(({ queue }) => queue.webhookId)
}

/** Whether a delivery of the queue waits, due or not. */
export function hasMore({ waiting, pinging }: LockedQueue): boolean {
  return waiting + pinging > 0
}
