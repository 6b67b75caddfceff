import { setTimeout as delay } from 'node:timers/promises'

/** Waits, and returns early when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {})
}

/** Whether the work succeeds within `ms`; it goes on either way. */
export async function succeedsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  // Input that arrived while this process could not run is handled first.
  const timer = setTimeout(() => setImmediate(late.resolve, false), ms)
  const succeeds = work.then(
    () => true,
    () => false,
  )
  const result = await Promise.race([succeeds, late.promise])
  clearTimeout(timer)
  return result
}
