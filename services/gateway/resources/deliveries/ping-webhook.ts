import { type DeliveryKey, readDelivery } from '#shared/data/deliveries/deliveries.ts'
import { insertPing, withdrawPing } from '#shared/data/dispatch/pings.ts'
import { lockWebhook, readWebhook, type WebhookKey } from '#shared/data/webhooks/webhooks.ts'
import { timeOfId } from '#shared/domain/id.ts'
import type { Delivery } from '#shared/domain/webhook/delivery.ts'
import { pingPayload, pingTimeoutMs } from '#shared/domain/webhook/ping.ts'
import { AppError } from '#shared/errors.ts'
import type { Deps } from '../../context.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { DeliveryWait } from './delivery-notifier.ts'

type Ping = { principal: UserPrincipal; webhookId: string; requestId: string }

/** How long a dispatcher may take to say that it is there; without NATS the answer must be known within a second. */
const presenceMs = 500
/** A ring may be lost with NATS: this often the delivery is looked at all the same. */
const lookAgainMs = 1_000
/** For what an attempt takes beside its time-out: being claimed and written. */
const marginMs = 5_000

/**
 * Sends a ping, the webhook's next delivery in turn, also while it is disabled, and waits for what it comes to.
 * @returns the settled delivery, whatever the receiver said
 * @throws REQUESTED_ENTITY_NOT_FOUND, WEBHOOK_BUSY when it got no turn; SERVICE_UNAVAILABLE when nobody can send it
 */
export async function pingWebhook(deps: Deps, ping: Ping): Promise<Delivery> {
  const { principal, webhookId, requestId } = ping
  const key = { accountId: principal.accountId, webhookId, deliveryId: deps.newId() }
  if (!(await readWebhook(deps.db, key))) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  await deps.bus.request('dispatcher.present', {}, { timeoutMs: presenceMs, requestId })
  const bell = deps.deliveryNotifier.startWait(key.deliveryId) // before the row is there: no ring is missed
  try {
    await queue(deps, ping, key)
    deps.bus.broadcast('dispatcher.wake', { webhookId })
    return await outcome(deps, key, bell)
  } finally {
    bell.end()
  }
}

async function queue(deps: Deps, { principal, requestId }: Ping, key: DeliveryKey): Promise<void> {
  const { actor } = principal
  const eventId = deps.newId()
  // Should this process end meanwhile, nobody waits for the answer; then it is removed instead of sent.
  const patienceMs = pingTimeoutMs(deps.config.webhooks.timeoutMs) + marginMs
  const queued = await deps.db.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, key)
    if (!webhook) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
    const body = pingPayload({ id: eventId, createdAt: timeOfId(eventId), webhook, actor })
    return insertPing(tx, { ...key, eventId, requestId, body, patienceMs })
  })
  if (!queued) throw new AppError('WEBHOOK_BUSY')
}

/** Waits for its turn, and once that has begun for its end. */
async function outcome(deps: Deps, key: DeliveryKey, bell: DeliveryWait): Promise<Delivery> {
  const { timeoutMs } = deps.config.webhooks
  const inTurn = await settled(deps, key, { bell, withinMs: pingTimeoutMs(timeoutMs) })
  if (inTurn) return inTurn
  const withdrawn = await deps.db.transaction((tx) => withdrawPing(tx, key))
  if (withdrawn && !deps.deliveryNotifier.closing()) throw new AppError('WEBHOOK_BUSY')
  const late = withdrawn ? null : await settled(deps, key, { bell, withinMs: timeoutMs + marginMs })
  if (late) return late
  // This process ends, or the one that sent it is gone and the next one settles it.
  throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 })
}

async function settled(
  { db, deliveryNotifier: bells }: Deps,
  key: DeliveryKey,
  { bell, withinMs }: { bell: DeliveryWait; withinMs: number },
): Promise<Delivery | null> {
  const giveUpAt = performance.now() + withinMs
  for (;;) {
    const delivery = await readDelivery(db, key)
    if (!delivery) throw await whyGone(db, key)
    if (delivery.status !== 'pending') return delivery
    const leftMs = giveUpAt - performance.now()
    if (leftMs <= 0 || bells.closing()) return null
    await bell.next(Math.min(leftMs, lookAgainMs))
  }
}

/** A ping goes with its webhook, or because its time was over. */
async function whyGone(db: Deps['db'], key: WebhookKey): Promise<AppError> {
  return new AppError((await readWebhook(db, key)) ? 'WEBHOOK_BUSY' : 'REQUESTED_ENTITY_NOT_FOUND')
}
