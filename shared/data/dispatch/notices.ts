import { timeOfId } from '#shared/domain/id.ts'
import { pingType } from '#shared/domain/webhook/deliveries/ping.ts'
import { type DisabledWebhook, disabledNotice } from '#shared/domain/webhook/disabled-notice.ts'
import { toNumber } from '../columns.ts'
import type { Database, Queries, Transaction } from '../database.ts'
import { insertRows, rowMapper } from '../sql/insert-rows.ts'
import { sql } from '../sql/sql.ts'

// Notices to the operator of webhooks that were disabled. A notice is written in the transaction that disables a webhook, so no crash loses
// it. It stays until it is delivered or given up.

/** A notice that is to be sent. */
export type Notice = {
  id: string
  webhookId: string
  /** The exact text that is signed and sent. */
  body: string
  /** The number of attempts so far. */
  attempts: number
}

/** The maximum number of deliveries to search for the beginning of a run of failures. */
const maxRun = 1_000

/** Writes the notices of webhooks that a transaction disables. */
export async function writeNotices(
  tx: Transaction,
  disabled: readonly Omit<DisabledWebhook, 'failedSince'>[],
  options: { publicUrl: string; disableAfter: number; newId(at: number): string },
): Promise<void> {
  const rows = []
  for (const webhook of disabled) {
    const failedSince = await beginOfRun(tx, webhook, options.disableAfter)
    const at = webhook.disabledAt
    const body = disabledNotice({ ...webhook, failedSince }, options.publicUrl)
    rows.push({ id: options.newId(at), webhookId: webhook.webhookId, body, at })
  }
  await insertRows(tx, noticeRows(rows))
}

/**
 * When the run of failures began: the time of creation of the oldest of the newest failed deliveries, of which as many are read as disable
 * a webhook. Settled deliveries have no next attempt. The order names that column, so no more rows are read of a webhook that has failed
 * for weeks than of one that has just begun to fail.
 */
async function beginOfRun(
  tx: Transaction,
  { webhookId, disabledAt }: Pick<DisabledWebhook, 'webhookId' | 'disabledAt'>,
  disableAfter: number,
): Promise<number> {
  const rows = await tx.all<{ id: string }>(
    sql`select id from deliveries where webhook_id = ${webhookId} and status = 'failed' and next_attempt_at is null
      and event <> ${pingType} order by next_attempt_at desc, id desc limit ${Math.min(disableAfter, maxRun)}`,
  )
  const oldest = rows.at(-1)
  return oldest ? timeOfId(oldest.id) : disabledAt
}

const noticeRows = rowMapper<{ id: string; webhookId: string; body: string; at: number }>('notices', {
  id: ({ id }) => id,
  webhook_id: ({ webhookId }) => webhookId,
  created_at: ({ at }) => at,
  body: ({ body }) => body,
  due_at: ({ at }) => at,
})

/** When the next notice is due, on the database's clock; null: there is none. */
export async function nextNoticeDue(db: Queries): Promise<number | null> {
  const row = await db.get(sql`select due_at from notices order by due_at limit 1`)
  return row ? toNumber(row.due_at) : null
}

/** The notice that has been due the longest; null: none is due. */
export async function findDueNotice(db: Database): Promise<Notice | null> {
  const row = await db.get<{ id: string; webhook_id: string; body: string; attempts: number }>(
    sql`select id, webhook_id, body, attempts from notices where due_at <= ${await db.now()} order by due_at limit 1`,
  )
  return row ? { id: row.id, webhookId: row.webhook_id, body: row.body, attempts: row.attempts } : null
}

export async function removeNotice(db: Database, id: string): Promise<void> {
  await db.run(sql`delete from notices where id = ${id}`)
}

/** Records a failed attempt, and schedules the next one a number of milliseconds from now. */
export async function postponeNotice(db: Database, { id, attempts }: Notice, delayMs: number): Promise<void> {
  const dueAt = (await db.now()) + delayMs
  await db.run(sql`update notices set attempts = ${attempts + 1}, due_at = ${dueAt} where id = ${id}`)
}
