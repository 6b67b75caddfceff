const firstDelayMs = 100
const maxDelayMs = 10_000
const healthyMs = 60_000

/** Tells how many milliseconds to wait before a process that lived so long is started again. */
export type BackOff = { next(livedMs: number): number }

/** Waits between restarts: 0.1 s, doubling to 10 s; a process that lived for a minute starts over. */
export function createBackOff(): BackOff {
  let failures = 0
  return {
    next(livedMs) {
      if (livedMs >= healthyMs) failures = 0
      return Math.min(maxDelayMs, firstDelayMs * 2 ** failures++)
    },
  }
}
