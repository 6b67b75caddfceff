import type { Claim } from '#shared/data/dispatch/claims.ts'
import type { CycleResult } from '#shared/data/dispatch/cycle.ts'
import type { AttemptOutcome } from '#shared/domain/webhook/delivery.ts'
import type { Logger } from '#shared/log/logger.ts'

/** One line for an attempt that has ended. */
export function logAttempt(log: Logger, claim: Claim, { status, error, durationMs }: AttemptOutcome): void {
  if (!log.isEnabled('delivery.attempted')) return
  const { requestId, deliveryId, webhookId, eventId, event: type, number } = claim
  const about = { requestId, deliveryId, webhookId, eventId, type, host: hostOf(claim.url) }
  log('delivery.attempted', { ...about, number, status, error, durationMs })
}

const events = {
  failing: 'webhook.failing',
  recovered: 'webhook.recovered',
  disabled: 'webhook.disabled',
} as const

/** Tells the operator what a cycle that is committed has changed for webhooks. */
export function logNews(
  log: Logger,
  { outcomeNews, fullBacklogs }: Pick<CycleResult, 'outcomeNews' | 'fullBacklogs'>,
): void {
  for (const { news, claim, outcome, failures, waiting } of outcomeNews) {
    const { requestId, accountId, webhookId, deliveryId, url } = claim
    const about = { requestId, accountId, webhookId, deliveryId, host: hostOf(url) }
    log(events[news], { ...about, status: outcome.status, error: outcome.error, failures, waiting })
  }
  for (const { accountId, webhookId, url, missed } of fullBacklogs) {
    log('webhook.events_missed', { accountId, webhookId, host: hostOf(url), missed })
  }
}

/** What a log may show of a webhook's url: its path, query and credentials may be secret. */
function hostOf(url: string): string {
  return new URL(url).host
}
