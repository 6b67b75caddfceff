import { createLruMap } from './lru-map.ts'

/** Counts events in the last 60 s, separately for each key, in the memory of this process. */
export type SlidingMinutes = {
  add(key: string, count: number): void
  /** The count of the last 60 s, to the millisecond; a second counts in full while its last event counts. */
  count(key: string): number
  /** The milliseconds until the count of the last 60 s is below a number, at most 60,000; 0: it is already. */
  waitMs(key: string, fewerThan: number): number
}

const windowMs = 60_000
/** The number of clock seconds that overlap the last 60 s. */
const seconds = 61

/**
 * The last seconds with something in them, from `oldest` to `newest`. That of second s is at s % 61: its count, and the milliseconds into
 * it at which its last was added.
 */
type Window = { oldest: number; newest: number; counts: Uint32Array; lastMs: Uint16Array; total: number }

/**
 * @param options.now a monotonic clock in milliseconds
 * @param options.maxKeys beyond it the least recently used key is dropped
 */
export function createSlidingMinutes({ now, maxKeys }: { now(): number; maxKeys: number }): SlidingMinutes {
  const windows = createLruMap<Window>(maxKeys)

  /** The window of a key as it is now. */
  function current(key: string, at: number): Window | undefined {
    const window = windows.get(key)
    if (window) forget(window, at)
    return window
  }

  return {
    add(key, count) {
      const at = now()
      let window = current(key, at)
      if (!window) {
        window = emptyWindow()
        windows.set(key, window)
      }
      const second = Math.max(window.newest, Math.floor(at / 1_000))
      if (window.total === 0) window.oldest = second
      window.newest = second
      window.counts[second % seconds] = countAt(window, second) + count
      window.lastMs[second % seconds] = Math.max(0, Math.floor(at - second * 1_000))
      window.total += count
    },
    count: (key) => current(key, now())?.total ?? 0,
    waitMs(key, fewerThan) {
      const at = now()
      const window = current(key, at)
      let left = window?.total ?? 0
      if (!window || left < fewerThan) return 0
      let second = window.oldest
      while (left - countAt(window, second) >= fewerThan && second < window.newest) left -= countAt(window, second++)
      return endOf(window, second) - at
    },
  }
}

function emptyWindow(): Window {
  return { oldest: 0, newest: 0, counts: new Uint32Array(seconds), lastMs: new Uint16Array(seconds), total: 0 }
}

function countAt({ counts }: Window, second: number): number {
  return counts[second % seconds] ?? 0
}

/** When a second no longer counts. */
function endOf({ lastMs }: Window, second: number): number {
  return second * 1_000 + (lastMs[second % seconds] ?? 0) + windowMs
}

/** Forgets the seconds that are over. */
function forget(window: Window, at: number): void {
  for (
    ;
    window.total > 0 && (countAt(window, window.oldest) === 0 || endOf(window, window.oldest) <= at);
    window.oldest++
  ) {
    window.total -= countAt(window, window.oldest)
    window.counts[window.oldest % seconds] = 0
  }
}
