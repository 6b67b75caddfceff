import { setTimeout as pause } from 'node:timers/promises'
import type { Transaction } from '#shared/data/database.ts'
import type { DeliverySet, DeliveryStretch } from '#shared/data/deliveries/delivery-ranges.ts'
import { countDeliveries, readDeliveryIds } from '#shared/data/deliveries/delivery-reads.ts'
import { walkDeliveries } from '#shared/data/deliveries/delivery-walk.ts'
import { requeueDeliveries } from '#shared/data/deliveries/redeliveries.ts'
import { makeCursor, readCursor } from '#shared/data/pages/cursor.ts'
import type { OrderKey, PageRequest } from '#shared/data/pages/page.ts'
import type { RowBudget } from '#shared/data/pages/walk.ts'
import { lockWebhook, readWebhooks } from '#shared/data/webhooks/webhooks.ts'
import { timeOfId } from '#shared/domain/id.ts'
import { maxExamined } from '#shared/domain/limits.ts'
import { isPing } from '#shared/domain/webhook/deliveries/ping.ts'
import { type SettledStatus, statusesOf } from '#shared/domain/webhook/deliveries/redelivery.ts'
import { deliveryEventTypes } from '#shared/domain/webhook/event-types.ts'
import type { Webhook } from '#shared/domain/webhook/fields.ts'
import { AppError } from '#shared/errors.ts'
import type { DeliveryDeps } from './context.ts'
import { type DeliveryQuery, lookedUp } from './delivery-filters.ts'

/** Deliveries queued in one transaction, so that other writers do not wait long. */
const batchRows = 200

export type Redelivery = {
  accountId: string
  /** Absent: all webhooks of the account. */
  webhookId?: string
  status: SettledStatus
  filters: DeliveryQuery
  /** The `next` of the previous call. */
  after?: string
  /** Only counts. */
  dryRun: boolean
}

/** How many were queued, and how many were not because the backlog is full; `next`: where the call stopped, if before the end. */
export type Redelivered = { queued: number; skipped: number; next?: string }

/**
 * Queues settled deliveries that pass filters to be sent again, webhook by webhook, the oldest first, until the webhook's queue is
 * full. Pings are never sent again. It walks the log in the order of ids, over deliveries that were created before the call, so none is
 * left out or queued twice. It examines at most 20,000 rows; `next` says where to continue.
 * @throws REQUESTED_ENTITY_NOT_FOUND for a webhook that the account does not have; VALIDATION_FAILED for a cursor of another call
 */
export async function redeliverMatching(deps: DeliveryDeps, redelivery: Redelivery): Promise<Redelivered> {
  const { accountId, webhookId, after } = redelivery
  const all = (await readWebhooks(deps.db, accountId)).sort(byId)
  const named = webhookId === undefined ? all : all.filter(({ id }) => id === webhookId)
  if (webhookId !== undefined && named.length === 0) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  const request = requestOf(redelivery)
  const position = after === undefined ? null : readCursor(after, request, isWebhookId)
  const startedAt = timeOfId(deps.newId())
  const budget = { left: maxExamined }
  const sum = { queued: 0, skipped: 0 }
  for (const webhook of named.filter(({ id }) => !position || id >= position.key)) {
    const from = position?.key === webhook.id && position.id !== '' ? { key: null, id: position.id } : null
    const step = { webhook, set: setOf(redelivery, webhook, startedAt), from, dryRun: redelivery.dryRun }
    const done = await redeliverOfOne(deps, step, budget)
    sum.queued += done.queued
    sum.skipped += done.skipped
    if (done.endedAt !== null) return { ...sum, next: makeCursor({ key: webhook.id, id: done.endedAt }, request) }
  }
  return sum
}

const byId = (one: Webhook, other: Webhook) => (one.id < other.id ? -1 : 1)

const isWebhookId = (key: OrderKey): key is string => typeof key === 'string'

/** A cursor continues the call that returned it, or its dry run. */
function requestOf({ webhookId, status, filters }: Redelivery): PageRequest {
  return {
    order: 'redelivery',
    direction: 'asc',
    limit: maxExamined,
    page: 1,
    filters: JSON.stringify({ webhookId, status, filters }),
  }
}

function setOf({ status, filters }: Redelivery, { id }: Webhook, startedAt: number): DeliverySet {
  const { events = deliveryEventTypes, endAt = startedAt, ...others } = lookedUp(filters)
  return {
    ...others,
    webhookIds: [id],
    statuses: statusesOf(status),
    events: events.filter((event) => !isPing({ event })),
    endAt: Math.min(endAt, startedAt),
  }
}

type Step = { webhook: Webhook; set: DeliverySet; from: DeliveryStretch['from']; dryRun: boolean }

/** @returns `endedAt`: the last examined id when the budget was used up, '' when none was examined; null: all were examined */
async function redeliverOfOne(
  deps: DeliveryDeps,
  { webhook, set, from, dryRun }: Step,
  budget: RowBudget,
): Promise<{ queued: number; skipped: number; endedAt: string | null }> {
  const sum = { queued: 0, skipped: 0 }
  let endedAt: string | null = from?.id ?? ''
  let room = Math.max(0, deps.config.webhooks.maxWaiting - webhook.waitingCount)
  for await (const stretch of walkDeliveries(deps.db.long, set, { direction: 'asc', from, budget })) {
    const done = dryRun
      ? await countStretch(deps, { set, stretch, room })
      : await queueStretch(deps, webhook, { set, stretch })
    room -= done.queued
    sum.queued += done.queued
    sum.skipped += done.skipped
    endedAt = stretch.to?.id ?? null
  }
  return { ...sum, endedAt }
}

type InStretch = { set: DeliverySet; stretch: DeliveryStretch }

async function countStretch({ db }: DeliveryDeps, { set, stretch, room }: InStretch & { room: number }) {
  const found = await countDeliveries(db.long, set, stretch)
  const queued = Math.min(found, room)
  return { queued, skipped: found - queued }
}

async function queueStretch(
  deps: DeliveryDeps,
  { accountId, id: webhookId }: Webhook,
  { set, stretch }: InStretch,
): Promise<{ queued: number; skipped: number }> {
  let queued = 0
  let rest = stretch
  for (;;) {
    const ids = await deps.db.transaction((tx) =>
      queueBatch(tx, {
        key: { accountId, webhookId },
        set,
        stretch: rest,
        maxWaiting: deps.config.webhooks.maxWaiting,
      }),
    )
    if (ids.length > 0) deps.bus.broadcast('dispatcher.wake', { webhookId })
    queued += ids.length
    const last = ids.at(-1)
    if (last !== undefined) rest = { ...rest, from: { key: null, id: last } }
    if (ids.length < batchRows) return { queued, skipped: await countDeliveries(deps.db.long, set, rest) }
    await pause(1) // other processes get the write lock in between
  }
}

/** @returns the queued ids: fewer than a batch when there are no more, or no room is left */
async function queueBatch(
  tx: Transaction,
  of: InStretch & { key: { accountId: string; webhookId: string }; maxWaiting: number },
): Promise<string[]> {
  const webhook = await lockWebhook(tx, of.key)
  if (!webhook) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  const room = Math.max(0, of.maxWaiting - webhook.waitingCount)
  const found = await readDeliveryIds(tx, of.set, { ...of.stretch, limit: Math.min(batchRows, room), offset: 0 })
  await requeueDeliveries(tx, webhook, found)
  return found.map(({ id }) => id)
}
