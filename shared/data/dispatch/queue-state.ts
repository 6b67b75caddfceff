import { FIRST, NEVER } from '#shared/domain/limits.ts'
import { toBoolean } from '../columns.ts'
import type { Transaction } from '../database.ts'
import type { GivenColumns } from '../sql/dialect.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { among, forUpdate, forUpdateSkippingLocked, given, updateFrom } from '../sql/statements.ts'

/** Webhooks whose attempts fail or take long wait for their turn in a lane of their own. */
export type Lane = 'fast' | 'slow'
export const laneNumber = { fast: 0, slow: 1 } as const

/** A head row that this transaction has locked. */
export type LockedHead = {
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

export type LockedHeads = ReadonlyMap<string, LockedHead>

/**
 * Locks head rows in the order of their ids and reads them; those that are gone are left out. The head is the lock of its
 * webhook: whoever changes the webhook, its deliveries or their counters holds it until the commit. A transaction locks
 * all the heads it waits for with one call, so two never wait for each other.
 */
export async function lockHeads(tx: Transaction, webhookIds: readonly string[]): Promise<LockedHeads> {
  if (webhookIds.length === 0) return new Map()
  const ids = [...new Set(webhookIds)].sort()
  const heads = await readHeads(tx, sql`${among('webhook_id', ids)} order by webhook_id ${forUpdate}`)
  return new Map(heads.map((head) => [head.webhookId, head]))
}

/** Locks the heads of a lane that are due, those longest due first; what another transaction has locked is left to it. */
export function lockDueHeads(
  tx: Transaction,
  { lane, now, limit }: { lane: Lane; now: number; limit: number },
): Promise<LockedHead[]> {
  const due = sql`lane = ${laneNumber[lane]} and due_at <= ${now} order by due_at`
  return readHeads(tx, sql`${due} limit ${limit} ${forUpdateSkippingLocked}`)
}

/** What becomes of a head: its lane, fence and failures as they are in `head`, and what of it was settled. */
export type HeadChange = {
  head: LockedHead
  settled: { status: 'succeeded' | 'failed'; isPing: boolean } | null
  /** The delivery whose attempt begins; null: the lease is given back. */
  beginning: string | null
}

/**
 * Writes heads whose lease the caller has, one statement for all: its lease lasts longer, or is given back. Then the head
 * is due again when its next delivery is; while its webhook is disabled only for a ping.
 */
export async function writeHeads(
  tx: Transaction,
  changes: readonly HeadChange[],
  { owner, leaseMs, now }: { owner: string; leaseMs: number; now: number },
): Promise<void> {
  const leaseUntil = now + leaseMs
  const ifBegun = (begun: unknown, otherwise: Sql) =>
    sql`case when given.beginning is null then ${otherwise} else ${begun} end`
  await tx.run(
    updateFrom({
      table: 'webhook_heads',
      set: {
        waiting: sql`webhook_heads.waiting - given.sent`,
        pinging: sql`webhook_heads.pinging - given.pinged`,
        succeeded: sql`webhook_heads.succeeded + given.succeeded`,
        failed: sql`webhook_heads.failed + given.failed`,
        ...{ consecutive_failures: sql`given.failures`, lane: sql`given.lane`, fence: sql`given.fence` },
        attempt_delivery_id: sql`given.beginning`,
        lease_owner: ifBegun(owner, sql`null`),
        lease_until: ifBegun(leaseUntil, sql`null`),
        last_delivery_at: ifBegun(now, sql`webhook_heads.last_delivery_at`),
        due_at: ifBegun(leaseUntil, nextDue),
      },
      from: given(changedColumns, changes.map(changedRow)),
      where: sql`webhook_heads.webhook_id = given.id`,
    }),
  )
}

// The order is that of `readNext`.
const nextDue = sql`coalesce((select d.next_attempt_at from deliveries d
  where d.webhook_id = webhook_heads.webhook_id and d.status = 'pending' and d.next_attempt_at <= (
    select case when w.activated = 1 then ${NEVER} else ${FIRST} end from webhooks w where w.id = webhook_heads.webhook_id)
  order by d.webhook_id, d.status, d.next_attempt_at limit 1), ${NEVER})`

const changedColumns: GivenColumns = {
  ...{ id: 'text', sent: 'int', pinged: 'int', succeeded: 'int', failed: 'int' },
  ...{ failures: 'int', lane: 'int', fence: 'int', beginning: 'text' },
}

function changedRow({ head, settled, beginning }: HeadChange): unknown[] {
  const { webhookId, consecutiveFailures, lane, fence } = head
  return [
    ...[webhookId, Number(settled?.isPing === false), Number(settled?.isPing === true)],
    ...[Number(settled?.status === 'succeeded'), Number(settled?.status === 'failed')],
    ...[consecutiveFailures, laneNumber[lane], fence, beginning],
  ]
}

type HeadRow = {
  webhook_id: string
  lane: number
  lease_owner: string | null
  fence: number
  attempt_delivery_id: string | null
  consecutive_failures: number
  waiting: number
  backlog_full: unknown
}

async function readHeads(tx: Transaction, which: Sql): Promise<LockedHead[]> {
  const rows = await tx.all<HeadRow>(
    sql`select webhook_id, lane, lease_owner, fence, attempt_delivery_id, consecutive_failures, waiting, backlog_full
      from webhook_heads where ${which}`,
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
