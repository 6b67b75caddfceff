import { DUE_FIRST, DUE_NEVER } from '#shared/domain/limits.ts'
import type { Lane, QueueState } from '#shared/domain/webhook/queue.ts'
import { toBoolean } from '../columns.ts'
import type { Transaction } from '../database.ts'
import type { Sql, ValuesColumns } from '../dialect.ts'
import { sql } from '../sql/sql.ts'
import { forUpdate, forUpdateSkippingLocked, inList, updateFrom, valuesTable } from '../sql/statements.ts'

export const laneNumber = { fast: 0, slow: 1 } as const

/** A queue row that this transaction has locked. */
export type LockedQueue = QueueState & {
  webhookId: string
  leaseOwner: string | null
  fence: number
  attemptDeliveryId: string | null
  backlogFull: boolean
}

export type LockedQueues = ReadonlyMap<string, LockedQueue>

/**
 * Locks queue rows in the order of their ids and reads those that exist. The queue row is the lock of its webhook: a
 * transaction that changes the webhook, its deliveries or their counters holds it until the commit. A transaction locks all
 * its queues with one call, so that two transactions never deadlock.
 */
export async function lockQueues(tx: Transaction, webhookIds: readonly string[]): Promise<LockedQueues> {
  if (webhookIds.length === 0) return new Map()
  const ids = [...new Set(webhookIds)].sort()
  const queues = await readQueues(tx, sql`${inList('webhook_id', ids)} order by webhook_id ${forUpdate}`)
  return new Map(queues.map((queue) => [queue.webhookId, queue]))
}

/** Locks the due queues of a lane, the longest due first, and skips those that another transaction has locked. */
export function lockDueQueues(
  tx: Transaction,
  { lane, now, limit }: { lane: Lane; now: number; limit: number },
): Promise<LockedQueue[]> {
  const due = sql`lane = ${laneNumber[lane]} and due_at <= ${now} order by due_at`
  return readQueues(tx, sql`${due} limit ${limit} ${forUpdateSkippingLocked}`)
}

/** A change of a queue row. `queue` holds the new lane, failures, waiting deliveries and fence. */
export type QueueChange = {
  queue: LockedQueue
  /** The delivery that was settled for good; null: none. */
  settled: { status: 'succeeded' | 'failed'; isPing: boolean } | null
  /** The delivery whose attempt begins; null: the lease is given back. */
  beginning: string | null
}

/**
 * Writes queues whose lease the caller holds, with one statement. Where an attempt begins the lease is extended, otherwise it
 * is given back. Then the queue is due when its next delivery is, or, while its webhook is disabled, its next ping.
 */
export async function writeQueues(
  tx: Transaction,
  changes: readonly QueueChange[],
  { owner, leaseMs, now }: { owner: string; leaseMs: number; now: number },
): Promise<void> {
  const leaseUntil = now + leaseMs
  const ifBegun = (begun: unknown, otherwise: Sql) =>
    sql`case when input.beginning is null then ${otherwise} else ${begun} end`
  await tx.run(
    updateFrom({
      table: 'webhook_queues',
      set: {
        pinging: sql`webhook_queues.pinging - input.pinged`,
        succeeded: sql`webhook_queues.succeeded + input.succeeded`,
        failed: sql`webhook_queues.failed + input.failed`,
        ...{ lane: sql`input.lane`, consecutive_failures: sql`input.failures`, waiting: sql`input.waiting` },
        fence: sql`input.fence`,
        attempt_delivery_id: sql`input.beginning`,
        lease_owner: ifBegun(owner, sql`null`),
        lease_until: ifBegun(leaseUntil, sql`null`),
        last_delivery_at: ifBegun(now, sql`webhook_queues.last_delivery_at`),
        due_at: ifBegun(leaseUntil, nextDue),
      },
      from: valuesTable(changedColumns, changes.map(changedRow)),
      where: sql`webhook_queues.webhook_id = input.id`,
    }),
  )
}

// The same order as in `readNext`.
const nextDue = sql`coalesce((select d.next_attempt_at from deliveries d
  where d.webhook_id = webhook_queues.webhook_id and d.status = 'pending' and d.next_attempt_at <= (
    select case when w.activated = 1 then ${DUE_NEVER} else ${DUE_FIRST} end from webhooks w where w.id = webhook_queues.webhook_id)
  order by d.webhook_id, d.status, d.next_attempt_at limit 1), ${DUE_NEVER})`

const changedColumns: ValuesColumns = {
  ...{ id: 'text', pinged: 'int', succeeded: 'int', failed: 'int' },
  ...{ lane: 'int', failures: 'int', waiting: 'int', fence: 'int', beginning: 'text' },
}

function changedRow({ queue, settled, beginning }: QueueChange): unknown[] {
  const { webhookId, lane, consecutiveFailures, waiting, fence } = queue
  return [
    ...[webhookId, Number(settled?.isPing === true)],
    ...[Number(settled?.status === 'succeeded'), Number(settled?.status === 'failed')],
    ...[laneNumber[lane], consecutiveFailures, waiting, fence, beginning],
  ]
}

type QueueRow = {
  webhook_id: string
  lane: number
  lease_owner: string | null
  fence: number
  attempt_delivery_id: string | null
  consecutive_failures: number
  waiting: number
  backlog_full: unknown
}

async function readQueues(tx: Transaction, which: Sql): Promise<LockedQueue[]> {
  const rows = await tx.all<QueueRow>(
    sql`select webhook_id, lane, lease_owner, fence, attempt_delivery_id, consecutive_failures, waiting, backlog_full
      from webhook_queues where ${which}`,
  )
  return rows.map((row) => ({
    webhookId: row.webhook_id,
    lane: row.lane === laneNumber.slow ? 'slow' : 'fast',
    leaseOwner: row.lease_owner,
    fence: row.fence,
    attemptDeliveryId: row.attempt_delivery_id,
    consecutiveFailures: row.consecutive_failures,
    waiting: row.waiting,
    backlogFull: toBoolean(row.backlog_full),
  }))
}
