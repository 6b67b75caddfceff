import { counted } from '../text/counted.ts'

/** The backlog of a webhook, as the API has it. */
export type ReportedBacklog = { waitingCount: number; heldCount: number; heldIsAtLeast: boolean }

/** How many events are held for a webhook: "1,945 events", or "more than 10,000 events". */
export function heldWords({ heldCount, heldIsAtLeast }: Omit<ReportedBacklog, 'waitingCount'>): string {
  return `${heldIsAtLeast ? 'more than ' : ''}${counted(heldCount, 'event')}`
}

/** A sentence about webhooks after many changes, such as an import; null: none is behind. */
export function behindWords(webhooks: readonly ReportedBacklog[]): string | null {
  const behind = webhooks.filter(({ heldCount }) => heldCount > 0)
  if (behind.length === 0) return null
  const heldCount = behind.reduce((sum, webhook) => sum + webhook.heldCount, 0)
  const held = heldWords({ heldCount, heldIsAtLeast: behind.some(({ heldIsAtLeast }) => heldIsAtLeast) })
  const who = behind.length === 1 ? '1 webhook is behind' : `${behind.length} webhooks are behind`
  return `${who}: ${held} will be sent after the earlier ones. None is lost.`
}

/** The number of events left for a webhook at a time, in milliseconds. */
export type Left = { at: number; left: number }

/** The seconds until everything is sent, at the net rate between two measurements; null: the number did not decrease. */
export function secondsToCatchUp(before: Left, now: Left): number | null {
  const perMs = (before.left - now.left) / (now.at - before.at)
  return perMs > 0 && Number.isFinite(perMs) ? Math.ceil(now.left / perMs / 1_000) : null
}
