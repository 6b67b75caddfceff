import { isoTime } from '../text/iso-time.ts'

/** The type of the notice that a webhook was disabled. */
export const disabledNoticeType = 'webhook.disabled'

/** The report to an operator about a webhook that too many failures have disabled. Times are epoch milliseconds. */
export type DisabledWebhook = {
  webhookId: string
  accountId: string
  description: string
  url: string
  reason: string
  disabledAt: number
  /** When the oldest delivery of the run of failures was created. */
  failedSince: number
}

/**
 * The body of the notice. It contains only the host of the URL, because the rest may be secret.
 * @param publicUrl the origin of the dashboard that the notice links to
 */
export function disabledNotice(disabled: DisabledWebhook, publicUrl: string): string {
  const { webhookId, accountId, description, url, reason, disabledAt, failedSince } = disabled
  const data = {
    webhook: { id: webhookId, description, host: new URL(url).host },
    account: { id: accountId },
    reason,
    failedSince: isoTime(failedSince),
    link: `${publicUrl}/dashboard/webhooks/${webhookId}`,
  }
  return JSON.stringify({ type: disabledNoticeType, createdAt: isoTime(disabledAt), data })
}
