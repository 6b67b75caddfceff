import type { Webhook } from '#client/src/types/user-resources.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { heldWords, type ReportedBacklog } from '#shared/domain/webhook/behind-words.ts'

/** The state of a webhook in a word, and the reason in sentences. `off`: a user switched it off. */
export type WebhookHealth = { tone: 'good' | 'warn' | 'bad' | 'off'; word: string; text: string }

/** Waiting deliveries from which a webhook is shown as behind, before any event is held. */
const worrying = 500

/** Whether the events of a webhook are sent, and the consequences if they are not. */
export function webhookHealth(webhook: Webhook): WebhookHealth {
  const { activated, disabledReason, failureCount, waitingCount, heldCount, missedCount, lastDeliveryAt } = webhook
  const waiting = waitingWords(webhook)
  const missed = missedWords(missedCount)
  if (!activated && (disabledReason === null || disabledReason === 'deactivated')) {
    return { tone: 'off', word: 'switched off', text: said('Nothing is sent.', waiting, missed) }
  }
  if (!activated) return { tone: 'bad', word: 'disabled', text: said(`${disabledReason}.`, waiting, missed) }
  if (failureCount > 0) return { tone: 'warn', word: 'failing', text: said(failing(failureCount), waiting, missed) }
  if (heldCount > 0) return { tone: 'warn', word: 'behind', text: said(waiting, missed) }
  if (waitingCount >= worrying) {
    const text = said(waiting, 'If too many deliveries wait, further events are held until those are sent.', missed)
    return { tone: 'warn', word: 'behind', text }
  }
  if (missedCount > 0) return { tone: 'warn', word: 'short of events', text: said(missed, waiting) }
  if (lastDeliveryAt === null) return { tone: 'good', word: 'ready', text: said('Nothing has been sent yet.', waiting) }
  return { tone: 'good', word: 'healthy', text: waiting }
}

/** The events that the webhook lost. The count stays after the cause is gone, until the user clears it. */
function missedWords(missedCount: number): string {
  if (missedCount === 0) return ''
  const missed = `It permanently missed ${counted(missedCount, 'event')}: too many were held, or for too long.`
  return said(missed, 'The count stays until you clear it.')
}

/** The deliveries that wait, and the events that are held until those are sent. */
function waitingWords(webhook: ReportedBacklog): string {
  const { waitingCount, heldCount } = webhook
  if (heldCount === 0) return waitingCount > 0 ? `${counted(waitingCount, 'delivery waits', 'deliveries wait')}.` : ''
  const held = heldWords(webhook)
  const wait = heldCount === 1 ? 'waits' : 'wait'
  return `${held.charAt(0).toUpperCase()}${held.slice(1)} ${wait} behind ${counted(waitingCount, 'delivery', 'deliveries')}.`
}

function failing(failures: number): string {
  const failed = `${counted(failures, 'delivery', 'deliveries')} in a row failed for good.`
  return said(failed, 'The webhook is disabled after too many.')
}

const said = (...sentences: string[]) => sentences.filter(Boolean).join(' ')

/** The display name of a webhook: its description, or the host of its URL. */
export function webhookName({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  return description.trim().slice(0, 80) || (URL.parse(url)?.host ?? url)
}
