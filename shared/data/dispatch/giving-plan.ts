import { timeOfId } from '#shared/domain/id.ts'
import { type Backlogs, backlogAfter, type Giving, planGiving } from '#shared/domain/webhook/held.ts'
import type { GivenEvents } from './outbox/new-deliveries.ts'
import type { QueueState, QueueStates } from './queue-state.ts'

// The deliveries and queue changes of given held events, for a cycle's plan and for due queues.

/** The held events to give to webhooks that are active and behind. */
export function givingTo(
  queues: QueueStates,
  backlogs: Backlogs,
  limits: { maxWaiting: number; room: number },
): Giving[] {
  const behind = [...backlogs.values()].flatMap((backlog) => {
    const { activeEpoch = null, waiting = 0 } = queues.get(backlog.webhookId) ?? {}
    return activeEpoch === null ? [] : [{ backlog, waiting }]
  })
  return planGiving(behind, limits)
}

/** The ids are generated in the order in which the deliveries are sent, before those of later events. */
export function toGivenEvents(
  giving: readonly Giving[],
  { now, newId }: { now: number; newId(at: number): string },
): GivenEvents[] {
  return giving
    .filter(({ count }) => count > 0)
    .map(({ backlog: { webhookId, accountId, first }, count }) => {
      const deliveries = Array.from({ length: count }, () => timesOf(newId(now), now))
      return { webhookId, accountId, from: first, to: first + count, deliveries }
    })
}

/** How many events are given to all webhooks together. */
export function givenIn(given: readonly GivenEvents[]): number {
  return given.reduce((sum, { deliveries }) => sum + deliveries.length, 0)
}

/** The queues of these webhooks after giving. A webhook that is behind counts as full. */
export function queuesAfter(giving: readonly Giving[], queues: QueueStates): Map<string, QueueState> {
  const after = giving.flatMap(({ backlog: { webhookId }, count, caughtUp }) => {
    const queue = queues.get(webhookId)
    return queue ? [{ ...queue, waiting: queue.waiting + count, backlogFull: !caughtUp }] : []
  })
  return new Map(after.map((queue) => [queue.webhookId, queue]))
}

/** The backlogs after events have been given. */
export function backlogsAfter(giving: readonly Giving[], backlogs: Backlogs): Backlogs {
  const after = giving.map((one) => [one.backlog.webhookId, backlogAfter(one)] as const)
  return new Map([...backlogs, ...after].flatMap(([id, backlog]) => (backlog === null ? [] : [[id, backlog]])))
}

/** A delivery's id contains its time of creation, so ids have the order of `created_at`; pages rely on that. */
export const timesOf = (id: string, dueAt: number) => ({ id, createdAt: timeOfId(id), dueAt })
