import type { Lane } from '#shared/domain/webhook/queue.ts'
import { toBoolean } from '../columns.ts'
import type { Transaction } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { type Claim, claimDue, firstDue, planStarts, readNext } from './claims.ts'
import { type Cycle, type CycleState, type DispatchStore, maxDeliveries, mayStart } from './cycle-plan.ts'
import { noEvents, readFullBacklogs, takeEvents, writeFanOut } from './outbox.ts'
import { lockQueues, updateQueues } from './queue-state.ts'
import { disableFailing, outcomeWrites } from './settlements.ts'

/** What is due after a claim. */
export type Due = {
  /** The database's time, and the earliest time at which a webhook is due in a lane with free slots. */
  now: number
  at: number
  /** A lane had no free slot for what may be due in it. */
  saturated: boolean
}

/** Takes webhooks that are due, too: only a transaction can skip those that others have locked. */
export type LockedStore = DispatchStore<CycleState> & {
  claimDue(slots: Record<Lane, number>): Promise<{ claimed: Claim[]; due: Due }>
}

/**
 * Reads and writes a cycle within a transaction that locks, in this order: events of the outbox, passing over those that others
 * have locked; the queues of all outcomes and events, by id; due queues, passing over locked ones. So transactions wait for each
 * other at one place only, and never in a ring.
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
      return { ...waiting, queues, now }
    },

    async write(plan) {
      const { now, outcomes, fanOut } = plan
      const disabled = await disableFailing(tx, outcomes, rules)
      const [, , next] = await tx.pipeline([
        () => tx.pipeline(outcomeWrites(outcomes, sql`${now}`).map((write) => () => tx.run(write))),
        () => writeFanOut(tx, fanOut, { ...rules, now }),
        () => readNext(tx, { webhookIds: mayStart(plan), now }),
      ])
      // What is due of a disabled webhook is a ping, which `claimDue` takes.
      const active = next.filter(({ activated }) => toBoolean(activated))
      const { changes, claims } = planStarts(plan.queues, { next: active, holder, now })
      if (changes.length > 0) await tx.run(updateQueues(changes))
      return { changes, claims, disabled, fullBacklogs: await readFullBacklogs(tx, fanOut) }
    },

    claimDue: (slots) => claimInLanes(tx, slots, holder),
  }
}

/** How soon to claim again when another dispatcher or a gateway has locked a webhook that is due. */
const lockedRetryMs = 5

/** Mostly nothing is due, which one statement finds out for both lanes. */
async function claimInLanes(
  tx: Transaction,
  slots: Record<Lane, number>,
  holder: Cycle['holder'],
): Promise<{ claimed: Claim[]; due: Due }> {
  const now = await tx.now()
  const free = { ...slots }
  const claimed: Claim[] = []
  let first = await firstDue(tx)
  for (const lane of lanes) {
    if (free[lane] === 0 || first[lane] > now) continue
    const found = await claimDue(tx, { ...holder, lane, limit: free[lane] })
    free[lane] -= found.length
    claimed.push(...found)
  }
  if (claimed.length > 0) first = await firstDue(tx)
  const open = lanes.filter((lane) => free[lane] > 0)
  // A webhook that is due and was not claimed is locked by another process, which may or may not claim it.
  const at = Math.max(Math.min(Number.POSITIVE_INFINITY, ...open.map((lane) => first[lane])), now + lockedRetryMs)
  return { claimed, due: { now, at, saturated: open.length < lanes.length } }
}

const lanes = ['fast', 'slow'] as const
