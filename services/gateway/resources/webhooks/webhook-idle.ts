import { setTimeout as pause } from 'node:timers/promises'
import { isWebhookServed } from '#shared/data/webhooks/webhook-activity.ts'
import type { WebhookKey } from '#shared/data/webhooks/webhooks.ts'
import { unavailable } from '#shared/errors.ts'
import { backOffMs } from '#shared/time/back-off.ts'
import type { WebhookDeps } from './context.ts'

/** Added to the time of a lease, at the end of which a dispatcher that did not get the message stops. */
const marginMs = 5_000
const backOff = { firstMs: 5, longestMs: 250, randomPart: 0 }

/**
 * Waits until no dispatcher has a request of an inactive webhook open and none can start one: the lease's holder aborts the
 * request and releases the lease, or the lease expires. The stop message is repeated, because it may be lost.
 * @throws SERVICE_UNAVAILABLE when a lease lasts longer than it should
 */
export async function waitForWebhookIdle(deps: WebhookDeps, key: WebhookKey): Promise<void> {
  const giveUpAt = performance.now() + deps.config.dispatcher.leaseSeconds * 1_000 + marginMs
  for (let looks = 0; await isWebhookServed(deps.db, key); looks++) {
    if (performance.now() > giveUpAt) throw unavailable('a dispatcher did not release the webhook', 5)
    deps.bus.broadcast('dispatcher.stop', { webhookId: key.webhookId })
    await pause(backOffMs(backOff, looks))
  }
}
