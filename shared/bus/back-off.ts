const firstMs = 50
const longestMs = 2_000

/**
 * Milliseconds to wait after so many failures in a row: doubling from 50 ms to 2 s, then shortened by up to half at
 * random, so that processes that lost the same server do not return in one wave.
 * @param random from 0 to 1
 */
export function backOffMs(failures: number, random: number): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(failures, 30))
  return full * (1 - random / 2)
}
