import { backOffMs } from '#shared/time/back-off.ts'

const restarts = { firstMs: 100, longestMs: 10_000, randomPart: 0 }
const healthyMs = 60_000

/** Returns the milliseconds to wait before a process that ran for `livedMs` is restarted. */
export type BackOff = { next(livedMs: number): number }

/** Waits between restarts double from 0.1 s to 10 s; they start over once a process has run for a minute. */
export function createBackOff(): BackOff {
  let failures = 0
  return {
    next(livedMs) {
      if (livedMs >= healthyMs) failures = 0
      return backOffMs(restarts, failures++)
    },
  }
}
