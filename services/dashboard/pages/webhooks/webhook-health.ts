import type { Webhook } from '#client/src/user-resources.ts'
import { counted } from '#shared/domain/text/counted.ts'

/** How a webhook is: in a word, and why in sentences. `off`: somebody switched it off. */
export type WebhookHealth = { tone: 'good' | 'warn' | 'bad' | 'off'; word: string; text: string }

/** From so many on, a number is worth a look before something is lost. */
const worrying = { waiting: 500, failures: 5 }

/** Whether a webhook is sent what it should get, and what comes of it when not. */
export function webhookHealth(webhook: Webhook): WebhookHealth {
  const { activated, disabledReason, failureCount, waitingCount, missedCount } = webhook
  const waiting = waitingCount > 0 ? `${counted(waitingCount, 'delivery waits', 'deliveries wait')}.` : ''
  if (!activated && (disabledReason === null || disabledReason === 'deactivated')) {
    return { tone: 'off', word: 'switched off', text: said('Nothing is sent.', waiting) }
  }
  if (!activated) return { tone: 'bad', word: 'disabled', text: said(`${disabledReason}.`, waiting) }
  if (missedCount > 0) {
    const missed = `It missed ${counted(missedCount, 'event')}, because too many deliveries wait.`
    return { tone: 'bad', word: 'losing events', text: said(missed, waiting) }
  }
  if (failureCount >= worrying.failures) return { tone: 'warn', word: 'failing', text: failing(failureCount, waiting) }
  if (waitingCount >= worrying.waiting) {
    return { tone: 'warn', word: 'behind', text: `${waiting} When too many do, events are missed.` }
  }
  if (failureCount > 0) return { tone: 'good', word: 'healthy', text: failing(failureCount, waiting) }
  return { tone: 'good', word: 'healthy', text: waiting }
}

function failing(failures: number, waiting: string): string {
  const failed = `${counted(failures, 'delivery', 'deliveries')} in a row failed for good.`
  return said(failed, waiting, 'It is disabled when there are too many.')
}

const said = (...sentences: string[]) => sentences.filter(Boolean).join(' ')

/** What a webhook is called: its description, or the host that it sends to. */
export function webhookName({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  return description.trim().slice(0, 80) || (URL.parse(url)?.host ?? url)
}
