import { DUE_FIRST, DUE_NEVER } from '#shared/domain/limits.ts'
import type { Lane } from '#shared/domain/webhook/deliveries/queue.ts'
import { attemptBeginsAt, claimableAt } from '#shared/domain/webhook/pace.ts'
import type { Database, Queries, Transaction } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { sql } from '../sql/sql.ts'
import { inList, onConflict } from '../sql/statements.ts'
import { type GivenToDue, type GivingRules, giveToDue } from './give-to-due.ts'
import { failInterruptedPings, removePings } from './pings.ts'
import {
  laneNumber,
  lockDueQueues,
  lockQueues,
  type QueueChange,
  type QueuePlan,
  type QueueState,
  updateQueues,
} from './queue-state.ts'

// A webhook's queue is free or leased, and a lease with an open attempt is a claim:
// - free: due when its next delivery is; `claimDue`, or the fan-out that adds a delivery, acquires the lease, increments the fence and
// starts an attempt.
// - claimed: one attempt is open. Its holder settles it (`settlements.ts`), then starts the next attempt under the same fence or releases
// the lease.
// - expired: the holder died. The queue is due when the lease ends; the next `claimDue` ends the open attempt as interrupted.
// Invariant: at most one attempt of a webhook is open, and only the holder with the current fence may write its outcome.
// The queue has the open attempt, written before its request is sent, so that an attempt whose holder dies is never lost. The delivery has
// the last ended attempt, `delivery_attempts` the earlier ones. So a delivery that succeeds at once needs no row of the log.

/** One attempt to send: the queue's lease, the delivery and everything needed to send it. */
export type Claim = {
  webhookId: string
  accountId: string
  fence: number
  lane: Lane
  url: string
  /** Sealed secrets; open them with the account and webhook that they are bound to. */
  secret: string
  previousSecret: string | null
  /** Sealed fixed headers; null: none. */
  headers: string | null
  deliveryId: string
  eventId: string
  event: string
  requestId: string
  /** This attempt's number among all of the delivery, and among those of the current series of eight. */
  number: number
  seriesAttempts: number
  /** When it starts, on the database's clock. */
  startedAt: number
  /** Milliseconds between the claim and the start: 0, or a short time until the webhook's rate limit allows it. */
  startsInMs: number
  body: string
  /** Whether more deliveries of the webhook are waiting, due or not, or events may be held for it. */
  hasMore: boolean
  /** The webhook's queue as the claim left it. */
  queue: QueueState
}

export type Holder = { owner: string; leaseMs: number }

/**
 * Acquires the leases of due webhooks, in order of due time, and starts one attempt of each. Skips queues that another transaction has
 * locked. An attempt that a dead holder left open ends as `interrupted`: its delivery is due again, or has failed if it is a ping. Webhooks
 * whose rate limit allows no attempt yet become due when it does. Those that are behind are given held events first, as far as there is
 * room.
 * @param options.limit the most webhooks to claim
 */
export async function claimDue(
  tx: Transaction,
  options: Holder & { lane: Lane; limit: number; giving: GivingRules },
): Promise<{ claims: Claim[] } & GivenToDue> {
  const queues = await lockDueQueues(tx, { ...options, now: await tx.now() })
  if (queues.length === 0) return { claims: [], backlogNews: [], wroteBacklogs: false }
  await endInterrupted(
    tx,
    queues.map(({ attemptDeliveryId }) => attemptDeliveryId).filter((id) => id !== null),
  )
  const now = await tx.now()
  const { plans, ...given } = await giveToDue(tx, queues, { ...options.giving, now })
  const starting = plans.filter(({ lease }) => lease === 'starts')
  const next = await readNext(tx, { webhookIds: starting.map(({ queue }) => queue.webhookId), now })
  const { changes, claims } = planStarts(plans, { next, holder: options, now })
  await tx.run(updateQueues(changes))
  return { claims, ...given }
}

/**
 * Starts the next attempt of each queue that may start one and has a due delivery; the other leases are released. The caller has locked the
 * queues before reading their next deliveries, or verifies on write that they are unchanged, so no new delivery can be missed.
 * @param options.next the first due delivery of each webhook whose queue may start an attempt
 */
export function planStarts(
  plans: readonly QueuePlan[],
  { next, holder, now }: { next: readonly NextDelivery[]; holder: Holder; now: number },
): { changes: QueueChange[]; claims: Claim[] } {
  const nexts = new Map(next.map((row) => [row.webhook_id, row]))
  const claims: Claim[] = []
  const changes = plans.map((plan): QueueChange => {
    if (plan.lease === 'leased') return { ...plan, started: null, notBefore: null }
    const row = nexts.get(plan.queue.webhookId)
    if (!row) {
      const notBefore = claimableAt(plan.queue, now)
      const queue = { ...freedQueue(plan.queue), ...(plan.owed && { dueAt: notBefore ?? now }) }
      return { ...plan, queue, started: null, notBefore }
    }
    const queue = leasedQueue(plan, { ...holder, now, deliveryId: row.id })
    claims.push(toClaim(row, queue, now))
    return { ...plan, queue, started: row.id, notBefore: null }
  })
  return { changes, claims }
}

function freedQueue(queue: QueueState): QueueState {
  return { ...queue, attemptDeliveryId: null, leaseOwner: null, leaseUntil: null }
}

function leasedQueue(
  { queue, lease }: QueuePlan,
  { owner, leaseMs, now, deliveryId }: Holder & { now: number; deliveryId: string },
): QueueState {
  const until = now + leaseMs
  return {
    ...queue,
    fence: lease === 'starts' ? queue.fence + 1 : queue.fence,
    attemptDeliveryId: deliveryId,
    leaseOwner: owner,
    leaseUntil: until,
    dueAt: until,
    lastDeliveryAt: attemptBeginsAt(queue, now),
  }
}

/** Makes queues leased by a dead dispatcher due at once. @returns their number */
export async function releaseLeasesOf(db: Database, owner: string): Promise<number> {
  const leased = await db.all<{ webhook_id: string }>(
    sql`select webhook_id from webhook_queues where lease_owner = ${owner}`,
  )
  if (leased.length === 0) return 0
  return db.transaction(async (tx) => {
    const queues = await lockQueues(
      tx,
      leased.map(({ webhook_id }) => webhook_id),
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

/** The row of the delivery to send next, with the columns of its webhook that are needed to send it. */
export type NextDelivery = {
  webhook_id: string
  account_id: string
  activated: unknown
  url: string
  secret: string
  previous_secret: string | null
  previous_secret_until: number | null
  headers: string | null
  id: string
  event_id: string
  event: string
  request_id: string
  attempts: number
  series_attempts: number
  expires_at: number | null
  body: string
}

/**
 * The first due delivery of each webhook: one index look-up per webhook, however many deliveries wait. For a disabled webhook only pings
 * are due. A ping whose client no longer waits is removed instead, and nothing is read for its queue this time.
 *
 * The order names all columns of the index from the first; otherwise MySQL 9 sorts all waiting deliveries (15 ms for 2,800).
 */
export async function readNext(
  tx: Transaction,
  { webhookIds, now }: { webhookIds: readonly string[]; now: number },
): Promise<NextDelivery[]> {
  if (webhookIds.length === 0) return []
  const rows = await tx.all<NextDelivery>(
    sql`select d.webhook_id, w.account_id, w.activated, w.url, w.secret, w.previous_secret, w.previous_secret_until, w.headers,
       d.id, d.event_id, d.event, d.request_id, d.attempts, d.series_attempts, d.expires_at, p.body
     from webhooks w join deliveries d on d.id = (select n.id from deliveries n
       where n.webhook_id = w.id and n.status = 'pending'
         and n.next_attempt_at <= case when w.activated = 1 then ${now} else ${DUE_FIRST} end
       order by n.webhook_id, n.status, n.next_attempt_at, n.id limit 1)
     join event_payloads p on p.event_id = d.event_id
     where ${inList('w.id', webhookIds)}`,
  )
  const expired = rows.filter(({ expires_at }) => expires_at !== null && expires_at <= now)
  if (expired.length === 0) return rows
  await removePings(
    tx,
    expired.map((row) => ({ id: row.id, webhookId: row.webhook_id, eventId: row.event_id })),
  )
  return rows.filter((row) => !expired.includes(row))
}

function toClaim(row: NextDelivery, queue: QueueState, now: number): Claim {
  const startedAt = queue.lastDeliveryAt ?? now
  return {
    webhookId: row.webhook_id,
    accountId: row.account_id,
    fence: queue.fence,
    lane: queue.lane,
    url: row.url,
    secret: row.secret,
    previousSecret: (row.previous_secret_until ?? 0) > now ? row.previous_secret : null,
    headers: row.headers,
    deliveryId: row.id,
    eventId: row.event_id,
    event: row.event,
    requestId: row.request_id,
    number: row.attempts + 1,
    seriesAttempts: row.series_attempts + 1,
    startedAt,
    startsInMs: startedAt - now,
    body: row.body,
    hasMore: queue.waiting > 1 || queue.backlogFull,
    queue,
  }
}

/**
 * Copies the last ended attempts of deliveries to the log, before other attempts take their place. If an outcome is written again because
 * the answer to a COMMIT was lost, its own attempt is also copied; readers of the log skip it.
 */
export function logLastAttempts(deliveryIds: readonly string[]): Sql {
  return sql`insert into delivery_attempts (delivery_id, number, started_at, duration_ms, status, error)
    select id, attempts, last_attempt_at, response_duration_ms, response_status, error from deliveries
    where ${inList('id', deliveryIds)} and attempts > 0 ${onConflict(['delivery_id', 'number'], {})}`
}
