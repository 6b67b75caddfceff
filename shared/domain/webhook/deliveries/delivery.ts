import type { AttemptDetails } from './attempt-details.ts'
import type { FixedHeaders } from './headers.ts'

/**
 * Why an attempt got no complete response head. `interrupted`: we aborted it, or its sender died; `blocked-address`: the URL resolves,
 * or now resolves, to an address we do not connect to; `not-https`: the URL begins with http://, which the operator does not, or no
 * longer, allow for its host; `protocol`: the response was not HTTP/1.1, or a 101; `secret`: nothing was sent, because the webhook's
 * signing secret could not be opened.
 */
export const attemptErrors = [
  'timeout',
  'tls',
  'dns',
  'blocked-address',
  'not-https',
  'connection',
  'protocol',
  'interrupted',
  'secret',
] as const
export type AttemptError = (typeof attemptErrors)[number]

/** The outcome of one POST. A complete head of any status has `status` and no `error`; the body does not matter. */
export type AttemptOutcome = {
  status: number | null
  /** The first 4 KiB of the response body, decoded leniently; never contains U+0000. */
  body: string
  /** From the start of the attempt until the connection was no longer used, whole milliseconds. */
  durationMs: number
  error: AttemptError | null
  /** Present if the attempt failed or was slow, or was a ping; absent: no request was started, or it succeeded quickly. */
  details?: AttemptDetails
}

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** A delivery as the delivery log shows it (contract 2.7). Times are epoch milliseconds. */
export type Delivery = {
  id: string
  createdAt: number
  updatedAt: number
  webhookId: string
  eventId: string
  event: string
  /** Null for events that are not about an item. */
  listId: string | null
  itemId: string | null
  status: DeliveryStatus
  /** All attempts so far, an open one included. */
  attempts: number
  nextAttemptAt: number | null
  lastAttemptAt: number | null
  completedAt: number | null
  /** The response to the last attempt; null when there was no response head. */
  response: { status: number; body: string; durationMs: number } | null
  error: AttemptError | null
}

/** One line of a delivery's attempt log; without duration, status and error its request is open. */
export type LoggedAttempt = {
  number: number
  startedAt: number
  durationMs: number | null
  status: number | null
  error: AttemptError | null
  /** Null: none were kept. */
  details: AttemptDetails | null
}

/** A delivery as the holder of its webhook's lease sends it. */
export type ClaimedDelivery = {
  webhookId: string
  url: string
  deliveryId: string
  eventId: string
  /** The event type, such as `item.created`. */
  event: string
  /** Number of this attempt among all so far, from 1. */
  number: number
  /** Number of this attempt in the current series, from 1. */
  seriesAttempts: number
  requestId: string
  /** The exact payload text; its UTF-8 bytes are what is signed and sent. */
  body: string
  /** The webhook's signing secret, opened. */
  secret: string
  /** The previous secret, opened; only while it is still accepted. */
  previousSecret: string | null
  /** The fixed headers of its webhook, opened. */
  headers: FixedHeaders
}

export type AfterAttempt = { status: 'succeeded' } | { status: 'pending'; nextAttemptAt: number } | { status: 'failed' }

/** A complete head with a 2xx status (contract 2.7). */
export function succeeded({ status, error }: AttemptOutcome): boolean {
  return error === null && status !== null && status >= 200 && status <= 299
}

/**
 * The delivery's state once an attempt has ended (specification, "Delivery"). `seriesAttempts` includes the one that
 * ended; `endedAt` and `nextAttemptAt` are epoch milliseconds. An interrupted attempt says nothing about the receiver:
 * it stays counted, and the next one is due at once, also when it was the last of its series. A delivery that is sent
 * `once` has no other attempt, whatever the outcome of the first.
 */
export function afterAttempt(input: {
  seriesAttempts: number
  outcome: AttemptOutcome
  endedAt: number
  retrySeconds: readonly number[]
  once?: boolean
}): AfterAttempt {
  if (succeeded(input.outcome)) return { status: 'succeeded' }
  if (input.once) return { status: 'failed' }
  if (input.outcome.error === 'interrupted') return { status: 'pending', nextAttemptAt: input.endedAt }
  const delayMs = retryDelayMs(input.seriesAttempts, input.retrySeconds)
  return delayMs === null ? { status: 'failed' } : { status: 'pending', nextAttemptAt: input.endedAt + delayMs }
}

/**
 * Milliseconds from the end of a series' nth attempt (n from 1) to the next one, or null when none is left.
 * `retrySeconds` are the delays in order, fractions allowed; there is one attempt more than delays
 * (specification, "Retries and ordering"; contract 2.7).
 */
export function retryDelayMs(seriesAttempts: number, retrySeconds: readonly number[]): number | null {
  const seconds = retrySeconds[seriesAttempts - 1]
  return seconds === undefined ? null : Math.round(seconds * 1000)
}
