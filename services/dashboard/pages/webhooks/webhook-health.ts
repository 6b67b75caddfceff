import type { Webhook } from '#client/src/types/user-resources.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { heldWords, type ToldBacklog } from '#shared/domain/webhook/behind-words.ts'

/** How a webhook is: in a word, and why in sentences. `off`: somebody switched it off. */
export type WebhookHealth = { tone: 'good' | 'warn' | 'bad' | 'off'; word: string; text: string }

/** From so many on, a number is worth a look before something is lost. */
const worrying = { waiting: 500, failures: 5 }

/** Whether a webhook is sent what it should get, and what comes of it when not. */
export function webhookHealth(webhook: Webhook): WebhookHealth {
  const { activated, disabledReason, failureCount, waitingCount, missedCount } = webhook
  const waiting = waitingWords(webhook)
  if (!activated && (disabledReason === null || disabledReason === 'deactivated')) {
    return { tone: 'off', word: 'switched off', text: said('Nothing is sent.', waiting) }
  }
  if (!activated) return { tone: 'bad', word: 'disabled', text: said(`${disabledReason}.`, waiting) }
  if (missedCount > 0) {
    const missed = `It missed ${counted(missedCount, 'event')} for good, because too many were held, or for too long.`
    return { tone: 'bad', word: 'losing events', text: said(missed, waiting) }
  }
  if (failureCount >= worrying.failures) return { tone: 'warn', word: 'failing', text: failing(failureCount, waiting) }
  if (webhook.heldCount > 0) return { tone: 'warn', word: 'behind', text: waiting }
  if (waitingCount >= worrying.waiting) {
    return { tone: 'warn', word: 'behind', text: `${waiting} When too many do, further events wait behind them.` }
  }
  if (failureCount > 0) return { tone: 'good', word: 'healthy', text: failing(failureCount, waiting) }
  return { tone: 'good', word: 'healthy', text: waiting }
}

/** What waits, and what is held behind it. */
function waitingWords(webhook: ToldBacklog): string {
  const { waitingCount, heldCount } = webhook
  if (heldCount === 0) return waitingCount > 0 ? `${counted(waitingCount, 'delivery waits', 'deliveries wait')}.` : ''
  const held = heldWords(webhook)
  const wait = heldCount === 1 ? 'waits' : 'wait'
  return `${held.charAt(0).toUpperCase()}${held.slice(1)} ${wait} behind ${counted(waitingCount, 'delivery', 'deliveries')}.`
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
