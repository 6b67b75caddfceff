import { setTimeout as pause } from 'node:timers/promises'
import { isWebhookServed } from '#shared/data/webhooks/webhook-activity.ts'
import type { WebhookKey } from '#shared/data/webhooks/webhooks.ts'
import { AppError } from '#shared/errors.ts'
import type { Deps } from '../../context.ts'

/** A holder that hears nothing lets go at the end of its lease; this much longer is waited for it. */
const marginMs = 5_000
const longestPauseMs = 250

/**
 * Waits until no dispatcher has a request of an inactive webhook open and none can begin one: its holder drops the
 * request and gives the lease back, or the lease runs out. Asked for again and again, since a message may be lost.
 * @throws SERVICE_UNAVAILABLE when a lease outlives its time
 */
export async function waitForWebhookIdle(deps: Deps, key: WebhookKey): Promise<void> {
  const giveUpAt = performance.now() + deps.config.dispatcher.leaseSeconds * 1_000 + marginMs
  for (let pauseMs = 5; await isWebhookServed(deps.db, key); pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    if (performance.now() > giveUpAt) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 })
    deps.bus.broadcast('dispatcher.stop', { webhookId: key.webhookId })
    await pause(pauseMs)
  }
}
