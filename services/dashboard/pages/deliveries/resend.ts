import type { Redelivered } from '#client/src/types/user-resources.ts'
import type { RedeliverFields } from '#client/src/webhooks.ts'
import { spanStart } from '../../parts/spans.ts'
import type { DeliveryView } from './delivery-view.ts'

/** Which of the deliveries of a view are sent again: those that failed for good, or those that succeeded too. */
export type ResendStatus = RedeliverFields['status']

/** How many were sent again, or would be, and for how many their webhook had no room. `isWhole`: all that match were looked at. */
export type Resent = { queued: number; skipped: number; isWhole: boolean }

/** @param now epoch milliseconds */
export function resendFields(view: DeliveryView, status: ResendStatus, now: number): RedeliverFields {
  const { status: _, since, event, ...conditions } = view
  // The API asks whoever sends everything again since when.
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

/** A count is a sum of so many calls at most; what is beyond it is reported as "or more". */
export const mostCountingCalls = 20

/**
 * Sends again, or counts, call by call until all that match were looked at, or somebody stops it.
 * @param mostCalls after so many it ends
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
