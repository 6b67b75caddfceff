import { DUE_FIRST, DUE_NEVER } from '#shared/domain/limits.ts'
import type { Lane, QueueProgress } from '#shared/domain/webhook/deliveries/queue.ts'
import { toBoolean } from '../columns.ts'
import type { Transaction } from '../database.ts'
import type { Sql, ValuesColumns } from '../dialect.ts'
import { raw, sql } from '../sql/sql.ts'
import { forUpdate, forUpdateSkippingLocked, inList, updateFrom, valuesTable } from '../sql/statements.ts'

export const laneNumber = { fast: 0, slow: 1 } as const

/** A webhook's row in `webhook_queues`, as it was read or as it is to be written. */
export type QueueState = QueueProgress & {
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
  /** The rate limit of its webhook, read with the row. */
  maxRequestsPerSecond: number | null
}

export type QueueStates = ReadonlyMap<string, QueueState>

/** Whether a delivery of the queue waits, due or not. */
export function hasWaiting({ waiting, pinging }: QueueState): boolean {
  return waiting + pinging > 0
}

/**
 * Locks queue rows in the order of their ids and reads those that exist. The queue row is the lock of its webhook: a
 * transaction that changes the webhook, its deliveries or their counters holds it until the commit. A transaction locks all
 * its queues with one call, so that two transactions never deadlock.
 */
export async function lockQueues(tx: Transaction, webhookIds: readonly string[]): Promise<QueueStates> {
  if (webhookIds.length === 0) return new Map()
  const ids = [...new Set(webhookIds)].sort()
  const queues = await readQueues(tx, sql`${inList('webhook_id', ids)} order by webhook_id ${forUpdate}`)
  return new Map(queues.map((queue) => [queue.webhookId, queue]))
}

/** Locks the due queues of a lane, the longest due first, and skips those that another transaction has locked. */
export function lockDueQueues(
  tx: Transaction,
  { lane, now, limit }: { lane: Lane; now: number; limit: number },
): Promise<QueueState[]> {
  const due = sql`lane = ${laneNumber[lane]} and due_at <= ${now} order by due_at`
  return readQueues(tx, sql`${due} limit ${limit} ${forUpdateSkippingLocked}`)
}

/** The plan for a queue, before it is known whether one of its deliveries is due. */
export type QueuePlan = {
  /** With the new lane, failures, waiting deliveries and fullness of the backlog. */
  queue: QueueState
  /** The delivery that was settled for good; null: none. */
  settled: { status: 'succeeded' | 'failed'; isPing: boolean } | null
  /** How many events the webhook missed. */
  missed: number
  /**
   * `leased`: it stays leased for an open attempt; `free`: it has no lease. The other two start an attempt if a delivery is due, and
   * are free otherwise: `continues` keeps the lease under which an outcome was settled, `starts` leases a free queue.
   */
  lease: 'leased' | 'free' | 'continues' | 'starts'
  /** Whether held events still have to be given to it: a free queue is due for that. */
  owed: boolean
}

/** A change of a queue row. `queue` has the lease and fence of the attempt that starts. */
export type QueueChange = QueuePlan & {
  /** The delivery whose attempt starts; null: none. */
  started: string | null
  /** The earliest time at which a free queue may be claimed again; null: at any time. */
  notBefore: number | null
}

/** Whether the queue becomes free although deliveries wait in it, or held events are owed to it. */
export function leavesWaiting(change: QueueChange): boolean {
  return isFreed(change) && (hasWaiting(change.queue) || change.owed)
}

function isFreed({ lease, started }: QueueChange): boolean {
  return lease !== 'leased' && started === null
}

/**
 * Writes locked queues. A queue that becomes free is due when its next delivery is, or when its next ping is while its webhook is
 * disabled, but not before its webhook's rate limit allows a claim.
 */
export function updateQueues(changes: readonly QueueChange[]): Sql {
  const isPaced = changes.some(({ notBefore }) => notBefore !== null)
  const columns = isPaced ? { ...changeColumns, not_before: 'int' as const } : changeColumns
  const rowOf = (change: QueueChange) => [...changeRow(change), ...(isPaced ? [change.notBefore] : [])]
  return updateFrom({
    table: 'webhook_queues',
    set: { ...set, due_at: sql`coalesce(input.due, ${isPaced ? pacedDue : nextDue}, ${DUE_NEVER})` },
    from: valuesTable(columns, changes.map(rowOf)),
    where: sql`webhook_queues.webhook_id = input.id`,
  })
}

/**
 * Writes the queues in which no column has changed since `before`; the caller has to check whether all were written. A queue that
 * becomes free must have nothing waiting. Locks the queues in the order of their ids.
 */
export function updateUnchangedQueues(changes: readonly QueueChange[], before: QueueStates): Sql {
  const ids = changes.map(({ queue }) => queue.webhookId)
  const rows = changes.map((change) => [...changeRow(change), ...beforeRow(before.get(change.queue.webhookId))])
  return updateFrom({
    table: 'webhook_queues',
    set: { ...set, due_at: sql`coalesce(input.due, ${DUE_NEVER})` },
    from: sql`${valuesTable({ ...changeColumns, ...beforeColumns }, rows)} ${lockedInOrder(ids)}`,
    where: sql`webhook_queues.webhook_id = input.id and ${isAsBefore}`,
  })
}

/** Needed where there are row locks, because an update of several rows acquires them in any order. */
function lockedInOrder(ids: readonly string[]): Sql {
  const locked = sql`join (select webhook_id from webhook_queues where ${inList('webhook_id', ids)}
    order by webhook_id ${forUpdate}) as locked on locked.webhook_id = input.id`
  return (dialect) => (dialect.lock.forUpdate === '' ? { text: '', bindings: [] } : locked(dialect))
}

type QueueColumn = { kind: 'int' | 'text'; of(queue: QueueState): unknown }

/** The columns of a `QueueState`, apart from the webhook's. */
const columns: Readonly<Record<string, QueueColumn>> = {
  lane: { kind: 'int', of: ({ lane }) => laneNumber[lane] },
  lease_owner: { kind: 'text', of: ({ leaseOwner }) => leaseOwner },
  fence: { kind: 'int', of: ({ fence }) => fence },
  attempt_delivery_id: { kind: 'text', of: ({ attemptDeliveryId }) => attemptDeliveryId },
  consecutive_failures: { kind: 'int', of: ({ consecutiveFailures }) => consecutiveFailures },
  waiting: { kind: 'int', of: ({ waiting }) => waiting },
  pinging: { kind: 'int', of: ({ pinging }) => pinging },
  backlog_full: { kind: 'int', of: ({ backlogFull }) => Number(backlogFull) },
  lease_until: { kind: 'int', of: ({ leaseUntil }) => leaseUntil },
  due_at: { kind: 'int', of: ({ dueAt }) => dueAt },
  last_delivery_at: { kind: 'int', of: ({ lastDeliveryAt }) => lastDeliveryAt },
}

/**
 * The columns that an update sets to the value of the change. `pinging` is only decreased, because the same transaction may also
 * remove pings; `due_at` may be looked up.
 */
const written = Object.entries(columns).filter(([name]) => name !== 'pinging' && name !== 'due_at')

const set: Readonly<Record<string, Sql>> = {
  pinging: sql`webhook_queues.pinging - input.pinged`,
  succeeded: sql`webhook_queues.succeeded + input.succeeded`,
  failed: sql`webhook_queues.failed + input.failed`,
  missed: sql`webhook_queues.missed + input.missed`,
  ...Object.fromEntries(written.map(([name]) => [name, raw(`input.${name}`)])),
}

const changeColumns: ValuesColumns = {
  id: 'text',
  pinged: 'int',
  succeeded: 'int',
  failed: 'int',
  missed: 'int',
  ...Object.fromEntries(written.map(([name, { kind }]) => [name, kind])),
  due: 'int',
}

/** A due time of null is looked up. */
function changeRow(change: QueueChange): unknown[] {
  const { queue, settled, missed } = change
  return [
    queue.webhookId,
    Number(settled?.isPing === true),
    Number(settled?.status === 'succeeded'),
    Number(settled?.status === 'failed'),
    missed,
    ...written.map(([, { of }]) => of(queue)),
    isFreed(change) && !change.owed ? null : queue.dueAt,
  ]
}

// The same order as in `readNext`.
const nextDueOf = (time: Sql) => sql`(select ${time} from deliveries d
  where d.webhook_id = webhook_queues.webhook_id and d.status = 'pending' and d.next_attempt_at <= (
    select case when w.activated = 1 then ${DUE_NEVER} else ${DUE_FIRST} end from webhooks w where w.id = webhook_queues.webhook_id)
  order by d.webhook_id, d.status, d.next_attempt_at limit 1)`
const nextDue = nextDueOf(raw('d.next_attempt_at'))
const pacedDue = nextDueOf(
  raw('case when d.next_attempt_at < input.not_before then input.not_before else d.next_attempt_at end'),
)

const beforeColumns: ValuesColumns = Object.fromEntries(
  Object.entries(columns).map(([name, { kind }]) => [`${name}_before`, kind]),
)

const isAsBefore = raw(
  `(${namesOf('webhook_queues', columns)}) is not distinct from (${namesOf('input', beforeColumns)})`,
)

function namesOf(table: string, columns: object): string {
  return Object.keys(columns)
    .map((name) => `${table}.${name}`)
    .join(', ')
}

function beforeRow(queue?: QueueState): unknown[] {
  return Object.values(columns).map(({ of }) => queue && of(queue))
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
  max_requests_per_second: number | null
}

async function readQueues(tx: Transaction, which: Sql): Promise<QueueState[]> {
  const rows = await tx.all<QueueRow>(
    sql`select webhook_id, max_requests_per_second, ${raw(Object.keys(columns).join(', '))},
      (select case when activated = 1 then active_epoch end from webhooks w where w.id = webhook_queues.webhook_id)
        as active_epoch
      from webhook_queues where ${which}`,
  )
  return rows.map(toQueue)
}

/** The columns of a `QueueRow`, without `active_epoch`, of queues as `q`. */
export const columnsOfQueue = raw(`q.webhook_id, q.max_requests_per_second, ${namesOf('q', columns)}`)

export function toQueue(row: QueueRow): QueueState {
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
    maxRequestsPerSecond: row.max_requests_per_second,
    backlogFull: toBoolean(row.backlog_full),
  }
}
