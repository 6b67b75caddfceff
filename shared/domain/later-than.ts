/**
 * The time of a change: later than the one before it even when the clock has been set back, so that receivers can tell which is newer.
 * @param before what is changed, or when it was last; times are epoch milliseconds
 */
export function laterThan({ updatedAt }: { updatedAt: number }, now: number): number {
  return Math.max(now, updatedAt + 1)
}
