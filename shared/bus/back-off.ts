const firstMs = 50
const longestMs = 2_000

/**
 * Milliseconds to wait after this many failures in a row: doubling from 50 ms to 2 s, then shortened at random by up to
 * half, so that processes that lost the same server do not all come back at once.
 * @param random from 0 to 1
 */
export function backOffMs(failures: number, random: number): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(failures, 30))
  return full * (1 - random / 2)
}
