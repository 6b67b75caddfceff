import { FIRST, NEVER } from '#shared/domain/limits.ts'
import type { Queries, Transaction } from './database.ts'
import { insertRows } from './insert-rows.ts'
import { jsonRows } from './json-rows.ts'
import { type NextDelivery, readNext } from './next-deliveries.ts'
import { failInterruptedPings } from './pings.ts'

/** Webhooks whose attempts fail or take long wait for their turn in a lane of their own. */
export type Lane = 'fast' | 'slow'
export const laneNumber = { fast: 0, slow: 1 } as const

/** One attempt to make, counted already: the head's lease, the delivery and what is needed to send it. */
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
 * Takes the lease of webhooks that are due, in order of due time, and counts the one attempt each is about to get.
 * A head that a dead holder left with an open attempt logs it as `interrupted`; its delivery is simply due again, and a
 * ping has failed.
 * @param options.limit how many webhooks at most
 */
export async function claimDue(tx: Transaction, options: Holder & { lane: Lane; limit: number }): Promise<Claim[]> {
  const now = await tx.now()
  const due = await tx.all<{ webhook_id: string; attempt_delivery_id: string | null }>(
    'select webhook_id, attempt_delivery_id from webhook_heads where lane = ? and due_at <= ? order by due_at limit ?',
    [laneNumber[options.lane], now, options.limit],
  )
  if (due.length === 0) return []
  await logInterrupted(
    tx,
    due.map(({ attempt_delivery_id }) => attempt_delivery_id).filter((id) => id !== null),
  )
  const ids = due.map(({ webhook_id }) => webhook_id)
  await tx.run(
    `update webhook_heads set fence = fence + 1, lease_owner = ?, lease_until = ?, due_at = ?, attempt_delivery_id = null
     where webhook_id in (select id from ${jsonRows(['id'])})`,
    [options.owner, now + options.leaseMs, now + options.leaseMs, idRows(ids)],
  )
  return beginAttempts(tx, ids, options)
}

/**
 * For webhooks whose lease the caller holds: begins the next due attempt of each, or gives the lease back where nothing is due.
 * The caller has locked the head rows in this transaction, so no delivery can arrive unseen between the look and the release.
 */
export async function beginAttempts(tx: Transaction, webhookIds: readonly string[], holder: Holder): Promise<Claim[]> {
  if (webhookIds.length === 0) return []
  const now = await tx.now()
  const claims = (await readNext(tx, webhookIds)).map((row) => toClaim(row, now))
  const begun = new Set(claims.map(({ webhookId }) => webhookId))
  await releaseHeads(
    tx,
    webhookIds.filter((id) => !begun.has(id)),
  )
  if (claims.length === 0) return []
  const rows = JSON.stringify(claims.map(({ webhookId, deliveryId }) => [webhookId, deliveryId]))
  await tx.run(
    `update webhook_heads set lease_until = ?, due_at = ?, last_delivery_at = ?, attempt_delivery_id = given.delivery_id
     from ${jsonRows(['id', 'delivery_id'])} where webhook_heads.webhook_id = given.id`,
    [now + holder.leaseMs, now + holder.leaseMs, now, rows],
  )
  await tx.run(
    `update deliveries set attempts = attempts + 1, series_attempts = series_attempts + 1, last_attempt_at = ?, updated_at = ?
     where id in (select delivery_id from ${jsonRows(['id', 'delivery_id'])})`,
    [now, now, rows],
  )
  const attempts = claims.map(({ deliveryId, number }) => [deliveryId, number, now])
  await insertRows(tx, 'delivery_attempts', ['delivery_id', 'number', 'started_at'], attempts)
  return claims
}

/** Lets go of leases: each head is due again when its next delivery is; while its webhook is disabled only for a ping. */
export async function releaseHeads(tx: Queries, webhookIds: readonly string[]): Promise<void> {
  if (webhookIds.length === 0) return
  await tx.run(
    `update webhook_heads set lease_owner = null, lease_until = null, attempt_delivery_id = null, due_at = coalesce((
       select d.next_attempt_at from webhooks w join deliveries d on d.webhook_id = w.id
       where w.id = webhook_heads.webhook_id and d.status = 'pending'
         and d.next_attempt_at <= case when w.activated = 1 then ${NEVER} else ${FIRST} end
       order by d.next_attempt_at limit 1), ?)
     where webhook_id in (select id from ${jsonRows(['id'])})`,
    [NEVER, idRows(webhookIds)],
  )
}

/** Makes the leases of a dispatcher that is known to be gone due at once. @returns how many */
export function giveBackLeasesOf(db: Queries, owner: string, now: number): Promise<number> {
  return db.run('update webhook_heads set due_at = ? where lease_owner = ?', [now, owner])
}

/** When the first webhook of each lane is due, on the database's clock; `NEVER` when none is. */
export async function firstDue(db: Queries): Promise<Record<Lane, number>> {
  const first = 'select due_at from webhook_heads where lane = ? order by due_at limit 1'
  const row = await db.get<Record<Lane, number | null>>(`select (${first}) as fast, (${first}) as slow`, [
    laneNumber.fast,
    laneNumber.slow,
  ])
  return { fast: row?.fast ?? NEVER, slow: row?.slow ?? NEVER }
}

async function logInterrupted(tx: Transaction, deliveryIds: readonly string[]): Promise<void> {
  if (deliveryIds.length === 0) return
  const ids = idRows(deliveryIds)
  await tx.run(
    `update delivery_attempts set error = 'interrupted'
     where delivery_id in (select id from ${jsonRows(['id'])}) and duration_ms is null and error is null`,
    [ids],
  )
  await tx.run(
    `update deliveries set error = 'interrupted' where status = 'pending' and id in (select id from ${jsonRows(['id'])})`,
    [ids],
  )
  await failInterruptedPings(tx, deliveryIds)
}

function toClaim(row: NextDelivery, now: number): Claim {
  return {
    webhookId: row.webhook_id,
    accountId: row.account_id,
    fence: row.fence,
    lane: row.lane === laneNumber.slow ? 'slow' : 'fast',
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
    more: row.waiting > 1,
  }
}

const idRows = (ids: readonly string[]) => JSON.stringify(ids.map((id) => [id]))
