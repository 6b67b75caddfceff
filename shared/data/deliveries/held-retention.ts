import { type Backlog, heldIn } from '#shared/domain/webhook/held.ts'
import type { Batch } from '../background/pacer.ts'
import { noTime, timedTransaction } from '../background/timed-transaction.ts'
import { toText } from '../columns.ts'
import type { Database, Queries, Transaction } from '../database.ts'
import { type BacklogNews, type ToldBacklogNews, withUrls, writeBacklogChanges } from '../dispatch/backlog-changes.ts'
import { lockQueues } from '../dispatch/queue-state.ts'
import { readBacklogs, selectBacklogs, toBacklog, writeBacklogs } from '../held/backlogs.ts'
import { deleteHeldEvents, type HeldEvent, readHeldEvents } from '../held/held-events.ts'
import { releasePayloads } from '../held/held-payloads.ts'
import { raw, sql } from '../sql/sql.ts'
import { forUpdate, inList } from '../sql/statements.ts'

/** `missed`: the events that webhooks miss because of it, which `news` reports. */
export type HeldBatch = Batch & { missed: number; news: ToldBacklogNews[] }

type Expiring = { until: number; rows: number; newId(at: number): string }

/** Whether an event is held for a deleted webhook, or was held up to a time. Checks the oldest event of each webhook. */
export async function findRemovableHeld(
  db: Queries,
  until: number,
): Promise<{ webhookId: string; isGone: boolean } | null> {
  const [gone] = await db.all(sql`select b.webhook_id from held_backlogs b
    where not exists (select 1 from webhooks w where w.id = b.webhook_id) limit 1`)
  if (gone) return { webhookId: toText(gone.webhook_id), isGone: true }
  const [old] = await db.all(sql`select b.webhook_id from held_backlogs b
    join held_events e on e.webhook_id = b.webhook_id and e.position = b.first_position
    where e.held_at <= ${until} limit 1`)
  return old ? { webhookId: toText(old.webhook_id), isGone: false } : null
}

/**
 * Removes one batch of held events: those of a deleted webhook, or the oldest of a webhook that were held up to a time, which it misses.
 * @param options.rows the most that the batch removes
 */
export async function removeHeldEvents(db: Database, options: Expiring): Promise<HeldBatch> {
  const found = await findRemovableHeld(db, options.until)
  if (!found) return { ...nothing, took: noTime, more: false }
  const { webhookId, isGone } = found
  const { result, took } = await timedTransaction(db, (tx) =>
    isGone ? removeOfGone(tx, webhookId, options) : expire(tx, webhookId, options),
  )
  return { ...result, took, more: true }
}

const nothing = { rows: 0, missed: 0, news: [] }
type Removed = Omit<HeldBatch, 'took' | 'more'>

/** The webhook and its queue were deleted, so there are no other writers of its held events. */
async function removeOfGone(tx: Transaction, webhookId: string, { rows }: Expiring): Promise<Removed> {
  const row = await tx.get(selectBacklogs(sql`where webhook_id = ${webhookId} ${forUpdate}`))
  if (!row) return nothing
  const backlog = toBacklog(row)
  const held = await readOldest(tx, backlog, rows)
  const after = await removeFirst(tx, backlog, held)
  const isEmpty = heldIn(after) === 0
  await writeBacklogs(tx, { kept: isEmpty ? [] : [after], removed: isEmpty ? [webhookId] : [] })
  return { ...nothing, rows: held.length }
}

async function expire(tx: Transaction, webhookId: string, { until, rows, newId }: Expiring): Promise<Removed> {
  await lockQueues(tx, [webhookId])
  const backlog = (await readBacklogs(tx, [webhookId])).get(webhookId)
  if (!backlog) return nothing
  const oldest = await readOldest(tx, backlog, rows)
  const kept = oldest.findIndex(({ heldAt }) => heldAt > until)
  const old = kept === -1 ? oldest : oldest.slice(0, kept)
  if (old.length === 0) return nothing
  const after = await removeFirst(tx, backlog, old)
  const missed = old.length
  await tx.run(sql`update webhook_queues set missed = missed + ${missed} where webhook_id = ${webhookId}`)
  const { accountId } = backlog
  const news: BacklogNews[] = backlog.missing ? [] : [{ news: 'missing', webhookId, accountId, events: missed }]
  const changes = { kept: [{ ...after, missing: true }], removed: [], news }
  await writeBacklogChanges(tx, changes, { now: await tx.now(), newId })
  return { rows: missed, missed, news: await withUrls(tx, news) }
}

async function readOldest(tx: Transaction, { webhookId, first, next }: Backlog, rows: number): Promise<HeldEvent[]> {
  const [held = []] = await readHeldEvents(tx, [{ webhookId, from: first, to: Math.min(next, first + rows) }])
  return held
}

/** @returns the remaining backlog */
async function removeFirst(tx: Transaction, backlog: Backlog, held: readonly HeldEvent[]): Promise<Backlog> {
  const first = backlog.first + held.length
  await releasePayloads(tx, held, { restored: false })
  await deleteHeldEvents(tx, [{ webhookId: backlog.webhookId, from: backlog.first, to: first }])
  return { ...backlog, first }
}

/** The most webhooks in one transaction. */
const batchQueues = 200

/**
 * Marks the queues of webhooks that are behind but unmarked, because a dispatcher of an earlier version has removed the mark. Makes queues
 * due that wait only for held events. Reads only queues that are behind.
 * @returns how many; when it is `batchQueues` there may be more
 */
export async function markBehind(db: Database, { maxWaiting }: { maxWaiting: number }): Promise<number> {
  const stray = raw(`from held_backlogs b join webhook_queues q on q.webhook_id = b.webhook_id
    join webhooks w on w.id = b.webhook_id`)
  const rows = await db.all(sql`select b.webhook_id ${stray} where q.backlog_full = 0
    or (w.activated = 1 and q.lease_owner is null and q.waiting <= ${Math.floor(maxWaiting / 2)}
      and q.due_at > ${await db.now()}) limit ${batchQueues}`)
  if (rows.length === 0) return 0
  const ids = rows.map(({ webhook_id }) => toText(webhook_id))
  await db.transaction(async (tx) => {
    await lockQueues(tx, ids)
    const now = await tx.now()
    const behind = [...(await readBacklogs(tx, ids)).keys()]
    if (behind.length === 0) return
    const isFree = sql`lease_owner is null and due_at > ${now}
      and exists (select 1 from webhooks w where w.id = webhook_queues.webhook_id and w.activated = 1)`
    await tx.run(sql`update webhook_queues set backlog_full = 1, due_at = case when ${isFree} then ${now} else due_at end
      where ${inList('webhook_id', behind)}`)
  })
  return rows.length
}
