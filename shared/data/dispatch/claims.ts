import { DUE_NEVER } from '#shared/domain/limits.ts'
import type { Lane } from '#shared/domain/webhook/queue.ts'
import type { Database, Queries, Transaction } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
import { logLastAttempts } from './attempt-log.ts'
import { type NextDelivery, readNext } from './next-deliveries.ts'
import { failInterruptedPings } from './pings.ts'
import type { QueuePlan } from './queue-plans.ts'
import {
  type LockedQueue,
  laneNumber,
  leasedQueue,
  lockDueQueues,
  lockQueues,
  type QueueChange,
  writeQueues,
} from './queue-state.ts'

// A webhook's queue is free or leased, and a lease with an open attempt is a claim:
// - free: due when its next delivery is; `claimDue`, or the fan-out that brings a delivery, takes the lease, increments the
//   fence and begins an attempt.
// - claimed: one attempt is open. Its holder settles it (`settlements.ts`), then begins the next attempt under the same fence or
//   gives the lease back.
// - expired: the holder died. The queue is due when the lease ends; the next `claimDue` ends the open attempt as interrupted.
// Invariant: at most one attempt of a webhook is open, and only the holder with the current fence may write its outcome.
// The queue has the open attempt, from before it is sent, so that one whose holder dies is never lost; the delivery has the last
// one that ended, `delivery_attempts` those before. So what succeeds at once takes no row of the log.

/** One attempt to make: the queue's lease, the delivery and what is needed to send it. */
export type Claim = {
  webhookId: string
  accountId: string
  fence: number
  lane: Lane
  url: string
  /** Sealed secrets; open them with the account and webhook that they are bound to. */
  secret: string
  previousSecret: string | null
  deliveryId: string
  eventId: string
  event: string
  requestId: string
  /** This attempt's number among all of the delivery, and among those of the current series of eight. */
  number: number
  seriesAttempts: number
  /** When it began, on the database's clock. */
  startedAt: number
  body: string
  /** Whether more deliveries of the webhook are waiting, due or not. */
  more: boolean
  /** The webhook's queue as the claim left it. */
  queue: LockedQueue
}

export type Holder = { owner: string; leaseMs: number }

/**
 * Takes the leases of webhooks that are due, in order of due time, and begins one attempt of each. Skips queues that another
 * transaction has locked. An attempt that a dead holder left open ends as `interrupted`: its delivery is due again, or
 * has failed if it is a ping.
 * @param options.limit the most webhooks to claim
 */
export async function claimDue(tx: Transaction, options: Holder & { lane: Lane; limit: number }): Promise<Claim[]> {
  const queues = await lockDueQueues(tx, { ...options, now: await tx.now() })
  if (queues.length === 0) return []
  await endInterrupted(
    tx,
    queues.map(({ attemptDeliveryId }) => attemptDeliveryId).filter((id) => id !== null),
  )
  const now = await tx.now()
  const plans = queues.map((queue): QueuePlan => ({ queue, settled: null, missed: 0, lease: 'begins' }))
  const next = await readNext(tx, { webhookIds: queues.map(({ webhookId }) => webhookId), now })
  return beginAttempts(tx, plans, { next, holder: options, now })
}

/**
 * Writes planned queues, and begins the next attempt of each that may begin and has one; the other leases are given back. The
 * caller locked the queues before it read their next deliveries, so no new delivery can be missed.
 */
export async function beginAttempts(
  tx: Transaction,
  plans: readonly QueuePlan[],
  { next, holder, now }: { next: readonly NextDelivery[]; holder: Holder; now: number },
): Promise<Claim[]> {
  if (plans.length === 0) return []
  const { changes, claims } = planAttempts(plans, { next, holder, now })
  await writeQueues(tx, changes, { ...holder, now })
  return claims
}

/** The attempts that begin, and what becomes of all queues with them. */
export function planAttempts(
  plans: readonly QueuePlan[],
  { next, holder, now }: { next: readonly NextDelivery[]; holder: Holder; now: number },
): { changes: QueueChange[]; claims: Claim[] } {
  const nexts = new Map(next.map((row) => [row.webhook_id, row]))
  const claims: Claim[] = []
  const changes = plans.map(({ queue: before, lease, ...change }): QueueChange => {
    const row = lease === 'served' ? undefined : nexts.get(before.webhookId)
    const queue = row && lease === 'begins' ? { ...before, fence: before.fence + 1 } : before
    if (row) claims.push(toClaim(row, queue, { ...holder, now }))
    return { ...change, queue, isServed: lease === 'served', beginning: row?.id ?? null }
  })
  return { changes, claims }
}

/** Makes the queues that a dead dispatcher has leased due at once. @returns how many */
export async function releaseLeasesOf(db: Database, owner: string): Promise<number> {
  const held = await db.all<{ webhook_id: string }>(
    sql`select webhook_id from webhook_queues where lease_owner = ${owner}`,
  )
  if (held.length === 0) return 0
  return db.transaction(async (tx) => {
    const queues = await lockQueues(
      tx,
      held.map(({ webhook_id }) => webhook_id),
    )
    const ids = [...queues.values()].filter(({ leaseOwner }) => leaseOwner === owner).map(({ webhookId }) => webhookId)
    return tx.run(sql`update webhook_queues set due_at = ${await tx.now()} where ${inList('webhook_id', ids)}`)
  })
}

/** When the first webhook of each lane is due, on the database's clock; `DUE_NEVER` when none is. */
export async function firstDue(db: Queries): Promise<Record<Lane, number>> {
  const row = await db.get<Record<Lane, number | null>>(
    sql`select (${firstOf('fast')}) as fast, (${firstOf('slow')}) as slow`,
  )
  return { fast: row?.fast ?? DUE_NEVER, slow: row?.slow ?? DUE_NEVER }
}

const firstOf = (lane: Lane) =>
  sql`select due_at from webhook_queues where lane = ${laneNumber[lane]} order by due_at limit 1`

async function endInterrupted(tx: Transaction, deliveryIds: readonly string[]): Promise<void> {
  if (deliveryIds.length === 0) return
  await tx.run(logLastAttempts(deliveryIds))
  await tx.run(
    sql`update deliveries set attempts = attempts + 1, series_attempts = series_attempts + 1, updated_at = ${await tx.now()},
        last_attempt_at = (select last_delivery_at from webhook_queues q where q.webhook_id = deliveries.webhook_id),
        response_status = null, response_body = null, response_duration_ms = null, error = 'interrupted'
      where ${inList('id', deliveryIds)} and status = 'pending'`,
  )
  await failInterruptedPings(tx, deliveryIds)
}

function toClaim(row: NextDelivery, queue: LockedQueue, { now, ...holder }: Holder & { now: number }): Claim {
  const { fence, lane, waiting } = queue
  return {
    webhookId: row.webhook_id,
    accountId: row.account_id,
    fence,
    lane,
    url: row.url,
    secret: row.secret,
    previousSecret: (row.previous_secret_until ?? 0) > now ? row.previous_secret : null,
    deliveryId: row.id,
    eventId: row.event_id,
    event: row.event,
    requestId: row.request_id,
    number: row.attempts + 1,
    seriesAttempts: row.series_attempts + 1,
    startedAt: now,
    body: row.body,
    more: waiting > 1,
    queue: leasedQueue(queue, { ...holder, now, deliveryId: row.id }),
  }
}
