import { type AfterAttempt, type AttemptOutcome, afterAttempt, succeeded } from './delivery.ts'
import { isPing } from './ping.ts'

/** Webhooks whose attempts fail or take long are served in the slow lane, so that they do not delay the others. */
export type Lane = 'fast' | 'slow'

/** An attempt that takes longer moves to the slow lane, and so does the webhook's next one. */
export const slowAfterMs = 2_000

/** The parts of a webhook's queue that outcomes of attempts change. */
export type QueueProgress = {
  lane: Lane
  /** Deliveries in a row that failed for good. */
  consecutiveFailures: number
  /** Pending deliveries, pings not counted. */
  waiting: number
}

/** An attempt that has ended. */
export type EndedAttempt = {
  /** The event type of its delivery. */
  event: string
  /** Its number in the delivery's series, from 1. */
  seriesAttempts: number
  outcome: AttemptOutcome
  /** Epoch milliseconds. */
  endedAt: number
  /** The lane for the webhook's next attempt. */
  lane: Lane
}

/** When a failed delivery is sent again, and after how many that failed for good a webhook is disabled. */
export type QueueRules = { retrySeconds: readonly number[]; disableAfter: number }

/** News for the operator about a run of failures: it began, it ended, or it disables the webhook (if that is active). */
export type QueueNews = 'failing' | 'recovered' | 'disabled'

export type AfterOutcome<Queue extends QueueProgress> = { queue: Queue; delivery: AfterAttempt; news: QueueNews | null }

/**
 * A webhook's queue, and the delivery, once an attempt has ended (contract 2.7). A delivery waits until it has succeeded or
 * failed for good. A success ends the run of failures, a delivery that failed for good extends it, and at `disableAfter` in a
 * row the webhook is disabled; a delivery that will be retried leaves the run as it is. A ping changes neither counter.
 */
export function queueAfter<Queue extends QueueProgress>(
  queue: Queue,
  attempt: EndedAttempt,
  rules: QueueRules,
): AfterOutcome<Queue> {
  const { seriesAttempts, outcome, endedAt, lane } = attempt
  const once = isPing(attempt)
  const delivery = afterAttempt({ seriesAttempts, outcome, endedAt, retrySeconds: rules.retrySeconds, once })
  if (once || delivery.status === 'pending') return { queue: { ...queue, lane }, delivery, news: null }
  const failed = delivery.status === 'failed'
  const consecutiveFailures = failed ? queue.consecutiveFailures + 1 : 0
  return {
    queue: { ...queue, lane, consecutiveFailures, waiting: queue.waiting - 1 },
    delivery,
    news: newsOf({ before: queue.consecutiveFailures, after: consecutiveFailures }, rules),
  }
}

/** Only the beginning and the end of a run are reported. That is rare, because each delivery is retried for hours. */
function newsOf({ before, after }: { before: number; after: number }, { disableAfter }: QueueRules): QueueNews | null {
  if (after >= disableAfter) return 'disabled'
  if (before === 0 && after > 0) return 'failing'
  return before > 0 && after === 0 ? 'recovered' : null
}

/** The lane for a webhook's next attempt. An attempt that we interrupted says nothing about the receiver. */
export function laneAfter(lane: Lane, outcome: AttemptOutcome): Lane {
  if (outcome.error === 'interrupted') return lane
  return succeeded(outcome) && outcome.durationMs <= slowAfterMs ? 'fast' : 'slow'
}
