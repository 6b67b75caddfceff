import { isHalfFree } from '#shared/domain/webhook/held.ts'
import { isTooEarly } from '#shared/domain/webhook/pace.ts'
import type { Transaction } from '../database.ts'
import { readBacklogs } from '../held/backlogs.ts'
import { planBacklogs, type ToldBacklogNews, withUrls, writeBacklogChanges } from './backlog-changes.ts'
import { givingTo, queuesAfter, toGivenEvents } from './giving-plan.ts'
import { giveHeldEvents } from './outbox/new-deliveries.ts'
import type { QueuePlan, QueueState } from './queue-state.ts'

export type GivingRules = {
  maxWaiting: number
  newId(at: number): string
  /** The most events to give; null: none may be given in this transaction, and webhooks that would get some are due again. */
  room: number | null
}

/** The result of giving held events; `wroteBacklogs`: this transaction may not give any more. */
export type GivenToDue = { backlogNews: ToldBacklogNews[]; wroteBacklogs: boolean }

/** Gives held events to locked queues that are due and behind, such as that of a webhook which was activated. */
export async function giveToDue(
  tx: Transaction,
  due: readonly QueueState[],
  { room, maxWaiting, newId, now }: GivingRules & { now: number },
): Promise<{ plans: QueuePlan[] } & GivenToDue> {
  const full = due.filter(({ backlogFull }) => backlogFull)
  const planOf = (queue: QueueState, owed: boolean): QueuePlan => {
    return { queue, settled: null, missed: 0, lease: isTooEarly(queue, now) ? 'free' : 'starts', owed }
  }
  if (room === null || full.length === 0) {
    const isOwed = ({ backlogFull, activeEpoch, waiting }: QueueState) =>
      backlogFull && activeEpoch !== null && isHalfFree(waiting, maxWaiting)
    return { plans: due.map((queue) => planOf(queue, isOwed(queue))), backlogNews: [], wroteBacklogs: false }
  }
  const ids = full.map(({ webhookId }) => webhookId)
  const backlogs = await readBacklogs(tx, ids)
  const queues = new Map(due.map((queue) => [queue.webhookId, queue]))
  const giving = givingTo(queues, backlogs, { maxWaiting, room })
  await giveHeldEvents(tx, toGivenEvents(giving, { now, newId }))
  const changes = planBacklogs(giving, { queues: [] }, { backlogs, now })
  await writeBacklogChanges(tx, changes, { now, newId })
  const after = queuesAfter(giving, queues)
  const owed = new Set(giving.filter((one) => one.owed).map(({ backlog }) => backlog.webhookId))
  const plans = due.map((queue) => planOf(after.get(queue.webhookId) ?? queue, owed.has(queue.webhookId)))
  return { plans, backlogNews: await withUrls(tx, changes.news), wroteBacklogs: giving.length > 0 }
}
