import type { ToldBacklogNews } from '#shared/data/dispatch/backlog-changes.ts'
import type { Claim } from '#shared/data/dispatch/claims.ts'
import type { CycleResult } from '#shared/data/dispatch/cycle.ts'
import type { AttemptOutcome } from '#shared/domain/webhook/deliveries/delivery.ts'
import type { Logger } from '#shared/log/logger.ts'

/** One line for a finished attempt. */
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

/** Logs what a committed cycle has changed for webhooks. */
export function logNews(
  log: Logger,
  { outcomeNews, backlogNews }: Pick<CycleResult, 'outcomeNews' | 'backlogNews'>,
): void {
  for (const { news, claim, outcome, failures, waiting } of outcomeNews) {
    const { requestId, accountId, webhookId, deliveryId, url } = claim
    const about = { requestId, accountId, webhookId, deliveryId, host: hostOf(url) }
    log(events[news], { ...about, status: outcome.status, error: outcome.error, failures, waiting })
  }
  for (const one of backlogNews) logBacklog(log, one)
}

/** Logs that a webhook falls behind, misses events or has caught up. */
export function logBacklog(log: Logger, { news, accountId, webhookId, url, events: count }: ToldBacklogNews): void {
  const about = { accountId, webhookId, host: hostOf(url) }
  if (news === 'behind') log('webhook.behind', { ...about, held: count })
  else if (news === 'missing') log('webhook.events_missed', { ...about, missed: count })
  else log('webhook.caught_up', about)
}

/** The part of a webhook's url that a log may show: its path, query and credentials may be secret. */
function hostOf(url: string): string {
  return new URL(url).host
}
