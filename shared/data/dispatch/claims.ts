import { DUE_NEVER } from '#shared/domain/limits.ts'
import type { Database, Queries, Transaction } from '../database.ts'
import { insertRows } from '../sql/insert-rows.ts'
import { sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
import { type NextDelivery, readNext } from './next-deliveries.ts'
import { failInterruptedPings } from './pings.ts'
import {
  type Lane,
  type LockedQueue,
  laneNumber,
  lockDueQueues,
  lockQueues,
  type QueueChange,
  writeQueues,
} from './queue-state.ts'

/** One attempt to make, counted already: the queue's lease, the delivery and what is needed to send it. */
export type Claim = {
  webhookId: string
  accountId: string
  fence: number
  lane: Lane
  url: string
  /** Sealed secrets: open them with the account and webhook they are bound to. */
  secret: string
  previousSecret: string | null
  deliveryId: string
  eventId: string
  event: string
  requestId: string
  /** This attempt's number among all ever made, and among those of the present series of eight. */
  number: number
  seriesAttempts: number
  body: string
  /** Whether further deliveries of the webhook wait, due or not. */
  more: boolean
}

export type Holder = { owner: string; leaseMs: number }

/**
 * Takes the lease of webhooks that are due, in order of due time, and counts the one attempt each is about to get; queues
 * that another transaction has locked are left out. A queue that a dead holder left with an open attempt logs it as
 * `interrupted`; its delivery is simply due again, and a ping has failed.
 * @param options.limit how many webhooks at most
 */
export async function claimDue(tx: Transaction, options: Holder & { lane: Lane; limit: number }): Promise<Claim[]> {
  const queues = await lockDueQueues(tx, { ...options, now: await tx.now() })
  if (queues.length === 0) return []
  await logInterrupted(
    tx,
    queues.map(({ attemptDeliveryId }) => attemptDeliveryId).filter((id) => id !== null),
  )
  const next = await readNext(
    tx,
    queues.map(({ webhookId }) => webhookId),
  )
  const taken = queues.map((queue) => ({ queue: { ...queue, fence: queue.fence + 1 }, settled: null }))
  return beginAttempts(tx, taken, { next, holder: options })
}

/**
 * For queues whose lease the caller has: begins the attempt of each that has something next, and gives the other leases
 * back. The caller has locked the queues before it looked for more, so nothing can have arrived unseen.
 */
export async function beginAttempts(
  tx: Transaction,
  queues: readonly Omit<QueueChange, 'beginning'>[],
  { next, holder }: { next: readonly NextDelivery[]; holder: Holder },
): Promise<Claim[]> {
  const now = await tx.now()
  const nexts = new Map(next.map((row) => [row.webhook_id, row]))
  const changes = queues.map((each) => ({ ...each, beginning: nexts.get(each.queue.webhookId)?.id ?? null }))
  const claims = queues.flatMap(({ queue }) => {
    const row = nexts.get(queue.webhookId)
    return row ? [toClaim(row, queue, now)] : []
  })
  await tx.pipeline([() => writeQueues(tx, changes, { ...holder, now }), () => countAttempts(tx, claims, now)])
  return claims
}

async function countAttempts(tx: Transaction, claims: readonly Claim[], now: number): Promise<void> {
  if (claims.length === 0) return
  const ids = claims.map(({ deliveryId }) => deliveryId)
  const counted = sql`update deliveries set attempts = attempts + 1, series_attempts = series_attempts + 1,
    last_attempt_at = ${now}, updated_at = ${now} where ${inList('id', ids)}`
  const attempts = claims.map(({ deliveryId, number }) => [deliveryId, number, now])
  await tx.pipeline([
    () => tx.run(counted),
    () => insertRows(tx, 'delivery_attempts', ['delivery_id', 'number', 'started_at'], attempts),
  ])
}

/** Makes the leases of a dispatcher that is known to be gone due at once. @returns how many */
export async function giveBackLeasesOf(db: Database, owner: string): Promise<number> {
  const held = await db.all<{ webhook_id: string }>('select webhook_id from webhook_queues where lease_owner = ?', [
    owner,
  ])
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

/** When the first webhook of each lane is due, on the database's clock; `NEVER` when none is. */
export async function firstDue(db: Queries): Promise<Record<Lane, number>> {
  const first = 'select due_at from webhook_queues where lane = ? order by due_at limit 1'
  const row = await db.get<Record<Lane, number | null>>(`select (${first}) as fast, (${first}) as slow`, [
    laneNumber.fast,
    laneNumber.slow,
  ])
  return { fast: row?.fast ?? DUE_NEVER, slow: row?.slow ?? DUE_NEVER }
}

async function logInterrupted(tx: Transaction, deliveryIds: readonly string[]): Promise<void> {
  if (deliveryIds.length === 0) return
  await tx.run(
    sql`update delivery_attempts set error = 'interrupted'
      where ${inList('delivery_id', deliveryIds)} and duration_ms is null and error is null`,
  )
  await tx.run(
    sql`update deliveries set error = 'interrupted' where ${inList('id', deliveryIds)} and status = 'pending'`,
  )
  await failInterruptedPings(tx, deliveryIds)
}

function toClaim(row: NextDelivery, { fence, lane, waiting }: LockedQueue, now: number): Claim {
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
    body: row.body,
    more: waiting > 1,
  }
}
