import { setTimeout as delay } from 'node:timers/promises'

/** Waits, or returns at once when the signal is given. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {})
}

/** Whether the work succeeds within so many milliseconds; it goes on either way. */
export async function succeedsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  // What came in while this process could not run is looked at first.
  const timer = setTimeout(() => setImmediate(late.resolve, false), ms)
  const succeeds = work.then(
    () => true,
    () => false,
  )
  const result = await Promise.race([succeeds, late.promise])
  clearTimeout(timer)
  return result
}
