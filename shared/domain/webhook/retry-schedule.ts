/**
 * Milliseconds from the end of a series' nth attempt (n from 1) to the next one, or null when none is left.
 * `retrySeconds` are the delays in order, fractions allowed; there is one attempt more than delays
 * (specification, "Retries and ordering"; contract 2.7).
 */
export function retryDelayMs(seriesAttempts: number, retrySeconds: readonly number[]): number | null {
  const seconds = retrySeconds[seriesAttempts - 1]
  return seconds === undefined ? null : Math.round(seconds * 1000)
}
