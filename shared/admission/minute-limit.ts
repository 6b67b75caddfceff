import { createLruMap } from './lru-map.ts'

/** Counts actions of clients per minute, separately for each key, in the memory of this process. */
export type MinuteLimit = {
  /** Counts one more. @returns 0 when it may proceed; otherwise the milliseconds to wait, and it was not counted */
  count(key: string): number
  /** Subtracts one. */
  refund(key: string): void
}

export type MinuteLimitOptions = {
  /** A monotonic clock in milliseconds. */
  now(): number
  /** The number of actions allowed per minute. */
  perMinute: number
  /** Maximum keys; beyond that, the one whose minute started first is dropped. */
  maxKeys: number
}

const windowMs = 60_000

type Window = { startedAt: number; count: number }

export function createMinuteLimit({ now, perMinute, maxKeys }: MinuteLimitOptions): MinuteLimit {
  // Read by `peek`, which keeps them in the order in which their minutes began.
  const windows = createLruMap<Window>(maxKeys)

  return {
    count(key) {
      const window = windows.peek(key)
      const at = now()
      if (!window || at - window.startedAt >= windowMs) {
        windows.set(key, { startedAt: at, count: 1 })
        return 0
      }
      if (window.count >= perMinute) return window.startedAt + windowMs - at
      window.count++
      return 0
    },
    refund(key) {
      const window = windows.peek(key)
      if (window) window.count--
    },
  }
}
