import { type DeliveryKey, findDelivery } from '#shared/data/deliveries/deliveries.ts'
import { insertPing, withdrawPing } from '#shared/data/dispatch/pings.ts'
import { findWebhook, lockWebhook, type WebhookKey } from '#shared/data/webhooks/webhooks.ts'
import { timeOfId } from '#shared/domain/id.ts'
import type { Delivery } from '#shared/domain/webhook/deliveries/delivery.ts'
import { pingPayload, pingTimeoutMs } from '#shared/domain/webhook/deliveries/ping.ts'
import { AppError, unavailable } from '#shared/errors.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { DeliveryDeps } from './context.ts'
import type { DeliveryWait } from './delivery-notifier.ts'

type Ping = { principal: UserPrincipal; webhookId: string; requestId: string }

/** How long a dispatcher may take to report its presence; without NATS the request must fail within a second. */
const presenceMs = 500
/** A notification may be lost with NATS, so the delivery is also read this often. */
const rereadMs = 1_000
/** Time to claim an attempt and to write its outcome, in addition to its time-out. */
const marginMs = 5_000

/**
 * Sends a ping as the webhook's next delivery, also while the webhook is disabled, and waits for the outcome.
 * @returns the settled delivery, with any response
 * @throws REQUESTED_ENTITY_NOT_FOUND, WEBHOOK_BUSY when it was not sent in time; SERVICE_UNAVAILABLE when no dispatcher can
 *   send it, or its outcome is not known
 */
export async function pingWebhook(deps: DeliveryDeps, ping: Ping): Promise<Delivery> {
  const { principal, webhookId, requestId } = ping
  const key = { accountId: principal.accountId, webhookId, deliveryId: deps.newId() }
  if (!(await findWebhook(deps.db, key))) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  await deps.bus.request('dispatcher.present', {}, { timeoutMs: presenceMs, requestId })
  const wait = deps.deliveryNotifier.startWait(key.deliveryId) // before the row exists, so that no notification is missed
  try {
    await queue(deps, ping, key)
    deps.bus.broadcast('dispatcher.wake', { webhookId })
    return await outcome(deps, key, wait)
  } finally {
    wait.end()
  }
}

async function queue(deps: DeliveryDeps, { principal, requestId }: Ping, key: DeliveryKey): Promise<void> {
  const { actor } = principal
  const eventId = deps.newId()
  // If this process ends, nothing waits for the outcome any more, and the ping is removed instead of sent.
  const timeoutMs = pingTimeoutMs(deps.config.webhooks.timeoutMs) + marginMs
  const queued = await deps.db.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, key)
    if (!webhook) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
    const body = pingPayload({ id: eventId, createdAt: timeOfId(eventId), webhook, actor })
    return insertPing(tx, { ...key, eventId, requestId, body, timeoutMs })
  })
  if (!queued) throw new AppError('WEBHOOK_BUSY')
}

/** Waits until the ping is sent, and then until it has settled. */
async function outcome(deps: DeliveryDeps, key: DeliveryKey, wait: DeliveryWait): Promise<Delivery> {
  const { timeoutMs } = deps.config.webhooks
  const inTime = await settled(deps, key, { wait, withinMs: pingTimeoutMs(timeoutMs) })
  if (inTime) return inTime
  const withdrawn = await deps.db.transaction((tx) => withdrawPing(tx, key))
  if (withdrawn && !deps.deliveryNotifier.closing()) throw new AppError('WEBHOOK_BUSY')
  const late = withdrawn ? null : await settled(deps, key, { wait, withinMs: timeoutMs + marginMs })
  if (late) return late
  // This process is ending, or the sending process has ended and the next one will settle it.
  throw unavailable('the ping has no outcome', 5)
}

async function settled(
  { db, deliveryNotifier }: DeliveryDeps,
  key: DeliveryKey,
  { wait, withinMs }: { wait: DeliveryWait; withinMs: number },
): Promise<Delivery | null> {
  const giveUpAt = performance.now() + withinMs
  for (;;) {
    const delivery = await findDelivery(db, key)
    if (!delivery) throw await goneError(db, key)
    if (delivery.status !== 'pending') return delivery
    const leftMs = giveUpAt - performance.now()
    if (leftMs <= 0 || deliveryNotifier.closing()) return null
    await wait.next(Math.min(leftMs, rereadMs))
  }
}

/** A ping is removed with its webhook, or when its time is over. */
async function goneError(db: DeliveryDeps['db'], key: WebhookKey): Promise<AppError> {
  return new AppError((await findWebhook(db, key)) ? 'WEBHOOK_BUSY' : 'REQUESTED_ENTITY_NOT_FOUND')
}
