import type { Lane } from '#shared/domain/webhook/deliveries/queue.ts'
import { toBoolean } from '../columns.ts'
import type { Transaction } from '../database.ts'
import { readBacklogs } from '../held/backlogs.ts'
import { sql } from '../sql/sql.ts'
import { type ToldBacklogNews, withUrls, writeBacklogChanges } from './backlog-changes.ts'
import { type Claim, claimDue, firstDue, planStarts, readNext } from './claims.ts'
import {
  type Cycle,
  type CyclePlan,
  type CycleRules,
  type CycleState,
  type DispatchStore,
  maxDeliveries,
  mayStart,
} from './cycle-plan.ts'
import { givenIn } from './giving-plan.ts'
import { giveHeldEvents } from './outbox/new-deliveries.ts'
import { noEvents, takeEvents, writeFanOut } from './outbox/outbox.ts'
import { lockQueues, type QueueStates, updateQueues } from './queue-state.ts'
import { disableFailing, outcomeWrites } from './settlements.ts'

/** What is due after a claim. */
export type Due = {
  /** The database's time, and the earliest time at which a webhook is due in a lane with free slots. */
  now: number
  at: number
  /** A lane had no free slot for queues that may be due in it. */
  saturated: boolean
}

/** Webhooks that were claimed because they were due, and the changes of their held events to report. */
export type ClaimedDue = { claimed: Claim[]; backlogNews: ToldBacklogNews[]; due: Due }

/** A store that also claims due webhooks: only a transaction can skip those that others have locked. */
export type LockedStore = DispatchStore<CycleState> & {
  /** @param options.plan the plan that the same transaction has written */
  claimDue(options: { slots: Record<Lane, number>; plan: CyclePlan; isQuiet: boolean }): Promise<ClaimedDue>
}

/**
 * Reads and writes a cycle within a transaction that locks, in this order: events of the outbox, skipping those that others have
 * locked; the queues of all outcomes and events, by id; payloads of held events, by id; counts of events; due queues, skipping locked
 * ones. So transactions never deadlock. Due queues are given held events only if the transaction has neither given any nor counted
 * events: otherwise payloads would be locked after these.
 */
export function lockedStore(tx: Transaction, { work, holder, rules }: Cycle): LockedStore {
  return {
    async read() {
      const { settlements, outbox } = work
      const { listeners } = rules
      const waiting = outbox ? await takeEvents(tx, outbox, { limit: maxDeliveries, listeners }) : noEvents
      const webhookIds = [...settlements.map(({ claim }) => claim), ...waiting.listeners].map((one) => one.webhookId)
      // The time is needed anyway, and pipelined on Postgres it costs nothing.
      const [queues, now] = await tx.pipeline([() => lockQueues(tx, webhookIds), () => tx.now()])
      const backlogs = await readBacklogs(tx, mayBeBehind(queues, waiting.events.length, rules))
      return { ...waiting, queues, backlogs, now }
    },

    async write(plan) {
      const { now, outcomes, given, fanOut, backlogs } = plan
      await giveHeldEvents(tx, given)
      const disabled = await disableFailing(tx, outcomes, rules)
      const [, , , next] = await tx.pipeline([
        () => tx.pipeline(outcomeWrites(outcomes, sql`${now}`).map((write) => () => tx.run(write))),
        () => writeFanOut(tx, fanOut),
        () => writeBacklogChanges(tx, backlogs, { ...rules, now }),
        () => readNext(tx, { webhookIds: mayStart(plan), now }),
      ])
      // The due deliveries of a disabled webhook are pings, which `claimDue` claims.
      const active = next.filter(({ activated }) => toBoolean(activated))
      const { changes, claims } = planStarts(plan.queues, { next: active, holder, now })
      if (changes.length > 0) await tx.run(updateQueues(changes))
      return { changes, claims, disabled, backlogNews: await withUrls(tx, backlogs.news) }
    },

    async claimDue({ slots, plan, isQuiet }) {
      const room = maxDeliveries - plan.fanOut.deliveries.length - plan.fanOut.held.length
      const mayGive = isQuiet && givenIn(plan.given) === 0
      return claimInLanes(tx, slots, { holder, rules, room: mayGive ? Math.max(0, room) : null })
    },
  }
}

/** Webhooks that are behind, or may reach their bound with the events of the cycle. If there are none, nothing is read. */
function mayBeBehind(queues: QueueStates, events: number, { maxWaiting }: CycleRules): string[] {
  return [...queues.values()]
    .filter(({ backlogFull, waiting }) => backlogFull || waiting + events > maxWaiting)
    .map(({ webhookId }) => webhookId)
}

/** How soon to claim again when another dispatcher or a gateway has locked a webhook that is due. */
const lockedRetryMs = 5

/** Usually nothing is due; one statement checks that for both lanes. */
async function claimInLanes(
  tx: Transaction,
  slots: Record<Lane, number>,
  { holder, rules, room }: Pick<Cycle, 'holder' | 'rules'> & { room: number | null },
): Promise<ClaimedDue> {
  const now = await tx.now()
  const free = { ...slots }
  const claimed: Claim[] = []
  const backlogNews: ToldBacklogNews[] = []
  let left = room
  let first = await firstDue(tx)
  for (const lane of lanes) {
    if (free[lane] === 0 || first[lane] > now) continue
    const giving = { ...rules, room: left }
    const found = await claimDue(tx, { ...holder, lane, limit: free[lane], giving })
    if (found.wroteBacklogs) left = null
    free[lane] -= found.claims.length
    claimed.push(...found.claims)
    backlogNews.push(...found.backlogNews)
  }
  if (claimed.length > 0) first = await firstDue(tx)
  const open = lanes.filter((lane) => free[lane] > 0)
  // A webhook that is due and was not claimed is locked by another process, which may or may not claim it.
  const at = Math.max(Math.min(Number.POSITIVE_INFINITY, ...open.map((lane) => first[lane])), now + lockedRetryMs)
  return { claimed, backlogNews, due: { now, at, saturated: open.length < lanes.length } }
}

const lanes = ['fast', 'slow'] as const
