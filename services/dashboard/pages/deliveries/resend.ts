import type { Redelivered } from '#client/src/types/user-resources.ts'
import type { RedeliverFields } from '#client/src/webhooks.ts'
import { spanStart } from '../../parts/spans.ts'
import type { DeliveryView } from './delivery-view.ts'

/** Which deliveries of a view are sent again: `failed` ones only, or all that are `settled`, including those that succeeded. */
export type ResendStatus = RedeliverFields['status']

/**
 * How many deliveries were queued, or would be, and how many were skipped because their webhook has no room. `isWhole`: all matching
 * deliveries are included.
 */
export type Resent = { queued: number; skipped: number; isWhole: boolean }

/** @param now epoch milliseconds */
export function resendFields(view: DeliveryView, status: ResendStatus, now: number): RedeliverFields {
  const { status: _, since, event, ...conditions } = view
  // To send everything again, the API requires a start time.
  const startAt = spanStart(since, now) ?? new Date(0).toISOString()
  return {
    ...conditions,
    ...(event !== undefined && { event: `eq:${event}` }),
    status,
    startAt,
    endAt: new Date(now).toISOString(),
  }
}

type Send = (fields: RedeliverFields) => PromiseLike<Redelivered>
type Running = { signal: AbortSignal; onProgress: (resent: Resent) => void }

/** The maximum number of calls for a count. Beyond it, the count is shown with "or more". */
export const mostCountingCalls = 20

/**
 * Sends deliveries again, or counts them, call by call, until all matching ones were processed or it is stopped.
 * @param mostCalls the maximum number of calls
 */
export async function resendAll(
  send: Send,
  fields: RedeliverFields,
  { signal, onProgress, mostCalls = Number.POSITIVE_INFINITY }: Running & { mostCalls?: number },
): Promise<Resent> {
  let resent: Resent = { queued: 0, skipped: 0, isWhole: false }
  let after: string | undefined
  for (let calls = 0; calls < mostCalls && !signal.aborted; calls++) {
    const { queued, skipped, next } = await send({ ...fields, ...(after !== undefined && { after }) })
    resent = { queued: resent.queued + queued, skipped: resent.skipped + skipped, isWhole: next === undefined }
    onProgress(resent)
    if (next === undefined) break
    after = next
  }
  return resent
}
