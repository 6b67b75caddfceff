/**
 * The time of a change: later than the previous change even if the clock was set back, so that receivers can order changes.
 * @param before the changed resource, or its last change; times are epoch milliseconds
 */
export function laterThan({ updatedAt }: { updatedAt: number }, now: number): number {
  return Math.max(now, updatedAt + 1)
}
