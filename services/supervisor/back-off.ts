const firstDelayMs = 100
const maxDelayMs = 10_000
const healthyMs = 60_000

/** Waits between restarts: 0.1 s, doubling to 10 s; a process that lived for a minute starts over. */
export function createBackOff(): { next(livedMs: number): number } {
  let failures = 0
  return {
    next(livedMs) {
      if (livedMs >= healthyMs) failures = 0
      return Math.min(maxDelayMs, firstDelayMs * 2 ** failures++)
    },
  }
}
