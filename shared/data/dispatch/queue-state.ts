import { DUE_FIRST, DUE_NEVER } from '#shared/domain/limits.ts'
import type { Lane, QueueState } from '#shared/domain/webhook/queue.ts'
import { toBoolean } from '../columns.ts'
import type { Transaction } from '../database.ts'
import type { Sql, ValuesColumns } from '../dialect.ts'
import { raw, sql } from '../sql/sql.ts'
import { forUpdate, forUpdateSkippingLocked, inList, updateFrom, valuesTable } from '../sql/statements.ts'

export const laneNumber = { fast: 0, slow: 1 } as const

/** A queue row that this transaction has locked, or that is compared with what was read when it is written. */
export type LockedQueue = QueueState & {
  webhookId: string
  leaseOwner: string | null
  fence: number
  attemptDeliveryId: string | null
  backlogFull: boolean
  /** Pings that wait, which `waiting` does not count. */
  pinging: number
  leaseUntil: number | null
  dueAt: number
  lastDeliveryAt: number | null
  /** The epoch in which its webhook last became active, read with the row; null: it is disabled. */
  activeEpoch: number | null
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

/** A change of a queue row. */
export type QueueChange = {
  /** With the new lane, failures, waiting deliveries, fence and fullness of the backlog. */
  queue: LockedQueue
  /** The delivery that was settled for good; null: none. */
  settled: { status: 'succeeded' | 'failed'; isPing: boolean } | null
  /** How many events the webhook missed. */
  missed: number
  /** Whether the queue stays leased for an attempt that is open. */
  isServed: boolean
  /** Unless it stays leased: the delivery whose attempt begins; null: the queue is free. */
  beginning: string | null
}

/**
 * Writes locked queues with one statement. Where an attempt begins the lease is taken or extended. A queue that is free then is
 * due when its next delivery is, or, while its webhook is disabled, its next ping.
 */
export async function writeQueues(
  tx: Transaction,
  changes: readonly QueueChange[],
  { owner, leaseMs, now }: { owner: string; leaseMs: number; now: number },
): Promise<void> {
  const begun = { owner, until: now + leaseMs, now }
  await tx.run(
    updateFrom({
      table: 'webhook_queues',
      set: { ...changed, due_at: sql`coalesce(input.due, ${nextDue}, ${DUE_NEVER})` },
      from: valuesTable(
        changedColumns,
        changes.map((change) => changedRow(change, begun)),
      ),
      where: sql`webhook_queues.webhook_id = input.id`,
    }),
  )
}

/**
 * Writes queues as `writeQueues` does, of which nothing waits where they are free then, and only those that nobody has changed
 * since they were read: the caller has to know whether it changed all. It locks them in the order of their ids.
 */
export function updateUnchanged(
  changes: readonly { change: QueueChange; seen: LockedQueue }[],
  { owner, leaseMs, now }: { owner: string; leaseMs: number; now: number },
): Sql {
  const begun = { owner, until: now + leaseMs, now }
  const rows = changes.map(({ change, seen }) => [...changedRow(change, begun), ...seenRow(seen)])
  const ids = changes.map(({ seen }) => seen.webhookId)
  return updateFrom({
    table: 'webhook_queues',
    set: { ...changed, due_at: sql`coalesce(input.due, ${DUE_NEVER})` },
    from: sql`${valuesTable({ ...changedColumns, ...seenColumns }, rows)} ${lockedInOrder(ids)}`,
    where: sql`webhook_queues.webhook_id = input.id
      and (${raw(comparedColumns.map((name) => `webhook_queues.${name}`).join(', '))})
        is not distinct from (${raw(Object.keys(seenColumns).join(', '))})`,
  })
}

/** Where there are row locks, an update of several rows takes them in any order. */
function lockedInOrder(ids: readonly string[]): Sql {
  const locked = sql`join (select webhook_id from webhook_queues where ${inList('webhook_id', ids)}
    order by webhook_id ${forUpdate}) as locked on locked.webhook_id = input.id`
  return (dialect) => (dialect.lock.forUpdate === '' ? { text: '', bindings: [] } : locked(dialect))
}

/** What a claim makes of a queue. */
export function leasedQueue(
  queue: LockedQueue,
  { owner, leaseMs, now, deliveryId }: { owner: string; leaseMs: number; now: number; deliveryId: string },
): LockedQueue {
  const until = now + leaseMs
  const lease = { leaseOwner: owner, leaseUntil: until, dueAt: until }
  return { ...queue, ...lease, attemptDeliveryId: deliveryId, lastDeliveryAt: now }
}

const changed = {
  pinging: sql`webhook_queues.pinging - input.pinged`,
  succeeded: sql`webhook_queues.succeeded + input.succeeded`,
  failed: sql`webhook_queues.failed + input.failed`,
  missed: sql`webhook_queues.missed + input.missed`,
  lane: sql`input.lane`,
  consecutive_failures: sql`input.failures`,
  waiting: sql`input.waiting`,
  backlog_full: sql`input.full_now`,
  fence: sql`input.fence`,
  attempt_delivery_id: sql`input.attempt`,
  lease_owner: sql`input.owner`,
  lease_until: sql`input.until`,
  last_delivery_at: sql`input.last_at`,
}

// The same order as in `readNext`.
const nextDue = sql`(select d.next_attempt_at from deliveries d
  where d.webhook_id = webhook_queues.webhook_id and d.status = 'pending' and d.next_attempt_at <= (
    select case when w.activated = 1 then ${DUE_NEVER} else ${DUE_FIRST} end from webhooks w where w.id = webhook_queues.webhook_id)
  order by d.webhook_id, d.status, d.next_attempt_at limit 1)`

const changedColumns: ValuesColumns = {
  id: 'text',
  pinged: 'int',
  succeeded: 'int',
  failed: 'int',
  missed: 'int',
  lane: 'int',
  failures: 'int',
  waiting: 'int',
  full_now: 'int',
  fence: 'int',
  attempt: 'text',
  owner: 'text',
  until: 'int',
  last_at: 'int',
  due: 'int',
}

/** What `LockedQueue` holds of the row, in the order of `seenColumns`. */
const comparedColumns = [
  'lane',
  'consecutive_failures',
  'waiting',
  'pinging',
  'backlog_full',
  'fence',
  'attempt_delivery_id',
  'lease_owner',
  'lease_until',
  'due_at',
  'last_delivery_at',
]

const seenColumns: ValuesColumns = {
  seen_lane: 'int',
  seen_failures: 'int',
  seen_waiting: 'int',
  seen_pinging: 'int',
  seen_full: 'int',
  seen_fence: 'int',
  seen_attempt: 'text',
  seen_owner: 'text',
  seen_until: 'int',
  seen_due: 'int',
  seen_last_at: 'int',
}

function seenRow(seen: LockedQueue): unknown[] {
  const { lane, consecutiveFailures, waiting, pinging, backlogFull, fence } = seen
  return [
    laneNumber[lane],
    consecutiveFailures,
    waiting,
    pinging,
    Number(backlogFull),
    fence,
    seen.attemptDeliveryId,
    seen.leaseOwner,
    seen.leaseUntil,
    seen.dueAt,
    seen.lastDeliveryAt,
  ]
}

type Begun = { owner: string; until: number; now: number }

function changedRow({ queue, settled, missed, ...change }: QueueChange, begun: Begun): unknown[] {
  const { webhookId, lane, consecutiveFailures, waiting, backlogFull, fence } = queue
  return [
    webhookId,
    Number(settled?.isPing === true),
    Number(settled?.status === 'succeeded'),
    Number(settled?.status === 'failed'),
    missed,
    laneNumber[lane],
    consecutiveFailures,
    waiting,
    Number(backlogFull),
    fence,
    ...leaseRow(queue, change, begun),
  ]
}

/** Open attempt, owner and end of the lease, time of the last delivery and due time; a due time of null is looked up. */
function leaseRow(
  queue: LockedQueue,
  { isServed, beginning }: Pick<QueueChange, 'isServed' | 'beginning'>,
  { owner, until, now }: Begun,
): unknown[] {
  const { attemptDeliveryId, leaseOwner, leaseUntil, lastDeliveryAt, dueAt } = queue
  if (isServed) return [attemptDeliveryId, leaseOwner, leaseUntil, lastDeliveryAt, dueAt]
  if (beginning !== null) return [beginning, owner, until, now, until]
  return [null, null, null, lastDeliveryAt, null]
}

export type QueueRow = {
  webhook_id: string
  lane: number
  lease_owner: string | null
  fence: number
  attempt_delivery_id: string | null
  consecutive_failures: number
  waiting: number
  pinging: number
  backlog_full: unknown
  lease_until: number | null
  due_at: number
  last_delivery_at: number | null
  active_epoch: number | null
}

async function readQueues(tx: Transaction, which: Sql): Promise<LockedQueue[]> {
  const rows = await tx.all<QueueRow>(
    sql`select ${raw(queueColumns)},
      (select case when activated = 1 then active_epoch end from webhooks w where w.id = webhook_queues.webhook_id)
        as active_epoch
      from webhook_queues where ${which}`,
  )
  return rows.map(toQueue)
}

const queueColumns = `webhook_id, lane, lease_owner, fence, attempt_delivery_id, consecutive_failures, waiting, pinging,
      backlog_full, lease_until, due_at, last_delivery_at`

/** The columns of a `QueueRow`, less the webhook's, of queues as `q`. */
export const columnsOfQueue = raw(queueColumns.replaceAll(/\w+/g, 'q.$&'))

export function toQueue(row: QueueRow): LockedQueue {
  return {
    webhookId: row.webhook_id,
    lane: row.lane === laneNumber.slow ? 'slow' : 'fast',
    leaseOwner: row.lease_owner,
    fence: row.fence,
    attemptDeliveryId: row.attempt_delivery_id,
    consecutiveFailures: row.consecutive_failures,
    waiting: row.waiting,
    pinging: row.pinging,
    leaseUntil: row.lease_until,
    dueAt: row.due_at,
    lastDeliveryAt: row.last_delivery_at,
    activeEpoch: row.active_epoch,
    backlogFull: toBoolean(row.backlog_full),
  }
}
