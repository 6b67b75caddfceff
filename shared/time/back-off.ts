export type BackOff = {
  firstMs: number
  longestMs: number
  /** The random part of each pause, from 0 to 1, so that callers that failed together do not all retry at once. */
  randomPart: number
}

/**
 * Milliseconds to wait before another attempt: doubling from `firstMs` to `longestMs`, then shortened at random.
 * @param failures earlier failures in a row
 * @param random from 0 to 1
 */
export function backOffMs(backOff: BackOff, failures: number, random = Math.random()): number {
  const { firstMs, longestMs, randomPart } = backOff
  return Math.min(longestMs, firstMs * 2 ** failures) * (1 - randomPart * random)
}
