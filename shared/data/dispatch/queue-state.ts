import { DUE_FIRST, DUE_NEVER } from '#shared/domain/limits.ts'
import { toBoolean } from '../columns.ts'
import type { Transaction } from '../database.ts'
import type { Sql, ValuesColumns } from '../sql/dialect.ts'
import { sql } from '../sql/sql.ts'
import { forUpdate, forUpdateSkippingLocked, inList, updateFrom, valuesTable } from '../sql/statements.ts'

/** Webhooks whose attempts fail or take long wait for their turn in a lane of their own. */
export type Lane = 'fast' | 'slow'
export const laneNumber = { fast: 0, slow: 1 } as const

/** A queue row that this transaction has locked. */
export type LockedQueue = {
  webhookId: string
  lane: Lane
  leaseOwner: string | null
  fence: number
  attemptDeliveryId: string | null
  consecutiveFailures: number
  /** Deliveries that wait; whoever settles some in this transaction takes them off here too. */
  waiting: number
  backlogFull: boolean
}

export type LockedQueues = ReadonlyMap<string, LockedQueue>

/**
 * Locks queue rows in the order of their ids and reads them; those that are gone are left out. The queue is the lock of its
 * webhook: whoever changes the webhook, its deliveries or their counters holds it until the commit. A transaction locks
 * all the queues it waits for with one call, so two never wait for each other.
 */
export async function lockQueues(tx: Transaction, webhookIds: readonly string[]): Promise<LockedQueues> {
  if (webhookIds.length === 0) return new Map()
  const ids = [...new Set(webhookIds)].sort()
  const queues = await readQueues(tx, sql`${inList('webhook_id', ids)} order by webhook_id ${forUpdate}`)
  return new Map(queues.map((queue) => [queue.webhookId, queue]))
}

/** Locks the queues of a lane that are due, those longest due first; what another transaction has locked is left to it. */
export function lockDueQueues(
  tx: Transaction,
  { lane, now, limit }: { lane: Lane; now: number; limit: number },
): Promise<LockedQueue[]> {
  const due = sql`lane = ${laneNumber[lane]} and due_at <= ${now} order by due_at`
  return readQueues(tx, sql`${due} limit ${limit} ${forUpdateSkippingLocked}`)
}

/** What becomes of a queue: its lane, fence and failures as they are in `queue`, and what of it was settled. */
export type QueueChange = {
  queue: LockedQueue
  settled: { status: 'succeeded' | 'failed'; isPing: boolean } | null
  /** The delivery whose attempt begins; null: the lease is given back. */
  beginning: string | null
}

/**
 * Writes queues whose lease the caller has, one statement for all: its lease lasts longer, or is given back. Then the queue
 * is due again when its next delivery is; while its webhook is disabled only for a ping.
 */
export async function writeQueues(
  tx: Transaction,
  changes: readonly QueueChange[],
  { owner, leaseMs, now }: { owner: string; leaseMs: number; now: number },
): Promise<void> {
  const leaseUntil = now + leaseMs
  const ifBegun = (begun: unknown, otherwise: Sql) =>
    sql`case when given.beginning is null then ${otherwise} else ${begun} end`
  await tx.run(
    updateFrom({
      table: 'webhook_queues',
      set: {
        waiting: sql`webhook_queues.waiting - given.sent`,
        pinging: sql`webhook_queues.pinging - given.pinged`,
        succeeded: sql`webhook_queues.succeeded + given.succeeded`,
        failed: sql`webhook_queues.failed + given.failed`,
        ...{ consecutive_failures: sql`given.failures`, lane: sql`given.lane`, fence: sql`given.fence` },
        attempt_delivery_id: sql`given.beginning`,
        lease_owner: ifBegun(owner, sql`null`),
        lease_until: ifBegun(leaseUntil, sql`null`),
        last_delivery_at: ifBegun(now, sql`webhook_queues.last_delivery_at`),
        due_at: ifBegun(leaseUntil, nextDue),
      },
      from: valuesTable(changedColumns, changes.map(changedRow)),
      where: sql`webhook_queues.webhook_id = given.id`,
    }),
  )
}

// The order is that of `readNext`.
const nextDue = sql`coalesce((select d.next_attempt_at from deliveries d
  where d.webhook_id = webhook_queues.webhook_id and d.status = 'pending' and d.next_attempt_at <= (
    select case when w.activated = 1 then ${DUE_NEVER} else ${DUE_FIRST} end from webhooks w where w.id = webhook_queues.webhook_id)
  order by d.webhook_id, d.status, d.next_attempt_at limit 1), ${DUE_NEVER})`

const changedColumns: ValuesColumns = {
  ...{ id: 'text', sent: 'int', pinged: 'int', succeeded: 'int', failed: 'int' },
  ...{ failures: 'int', lane: 'int', fence: 'int', beginning: 'text' },
}

function changedRow({ queue, settled, beginning }: QueueChange): unknown[] {
  const { webhookId, consecutiveFailures, lane, fence } = queue
  return [
    ...[webhookId, Number(settled?.isPing === false), Number(settled?.isPing === true)],
    ...[Number(settled?.status === 'succeeded'), Number(settled?.status === 'failed')],
    ...[consecutiveFailures, laneNumber[lane], fence, beginning],
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
