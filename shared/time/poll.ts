import { setTimeout as pause } from 'node:timers/promises'

/** @property withinMs how long to call `look`; the first call always happens */
export type PollOptions = { everyMs: number; withinMs: number; signal?: AbortSignal }

/**
 * Calls `look` repeatedly until it returns a result.
 * @returns the first result that is not null; null when the time is over
 * @throws what `look` throws; an AbortError when the signal aborts a pause
 */
export async function poll<T>(
  look: () => Promise<T | null>,
  { everyMs, withinMs, signal }: PollOptions,
): Promise<T | null> {
  const giveUpAt = performance.now() + withinMs
  for (;;) {
    const seen = await look()
    if (seen !== null || performance.now() > giveUpAt) return seen
    await pause(everyMs, undefined, { ...(signal && { signal }) })
  }
}
