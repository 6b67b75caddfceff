import { LRUCache } from 'lru-cache'

/** Counts what happened in the last minute, in the memory of this process, each key for itself. */
export type SlidingMinutes = {
  add(key: string, count: number): void
  /** How much there was in the last minute: to the second, and never less. */
  count(key: string): number
  /** The milliseconds until there will have been fewer than so many in the last minute; 0: now. */
  waitMs(key: string, fewerThan: number): number
}

/** The seconds that can hold a part of the last minute. */
const seconds = 61

/** `counts` of the last seconds, that of second s at s % 61; `second`: the newest. */
type Window = { second: number; counts: number[]; total: number }

/**
 * @param options.now a monotonic clock in milliseconds
 * @param options.maxKeys beyond it the key that was used least recently is forgotten
 */
export function createSlidingMinutes({ now, maxKeys }: { now(): number; maxKeys: number }): SlidingMinutes {
  const windows = new LRUCache<string, Window>({ max: maxKeys })

  /** The window of a key as it is now. */
  function current(key: string): Window | undefined {
    const window = windows.get(key)
    if (window) moveTo(window, Math.floor(now() / 1_000))
    return window
  }

  return {
    add(key, count) {
      let window = current(key)
      if (!window) {
        window = { second: Math.floor(now() / 1_000), counts: Array(seconds).fill(0), total: 0 }
        windows.set(key, window)
      }
      window.counts[window.second % seconds] = countAt(window, window.second) + count
      window.total += count
    },
    count: (key) => current(key)?.total ?? 0,
    waitMs(key, fewerThan) {
      const window = current(key)
      let left = window?.total ?? 0
      if (!window || left < fewerThan) return 0
      let second = window.second - seconds
      while (left >= fewerThan && second < window.second) left -= countAt(window, ++second)
      return (second + seconds) * 1_000 - now()
    },
  }
}

function countAt({ counts }: Window, second: number): number {
  return counts[second % seconds] ?? 0
}

/** Forgets the seconds that are over. */
function moveTo(window: Window, second: number): void {
  const passed = Math.min(second - window.second, seconds)
  for (let n = 1; n <= passed; n++) {
    const slot = (window.second + n) % seconds
    window.total -= window.counts[slot] ?? 0
    window.counts[slot] = 0
  }
  window.second = Math.max(window.second, second)
}
