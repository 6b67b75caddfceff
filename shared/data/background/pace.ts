/** How background work shares a database with other users. */
export type Pace = {
  /** The target milliseconds for which a batch holds its locks and others wait. */
  heldMs: number
  /** Milliseconds of rest after each millisecond of work. */
  rest: number
}

/** The pace depends on other writers: see `pacer.ts`. */
export const paces = {
  /** SQLite has one writer: other writers wait until a batch ends. */
  shared: { heldMs: 2, rest: 2 },
  /** SQLite without other writers: only the first new writer waits, once. */
  alone: { heldMs: 15, rest: 0.25 },
  /** A server has many writers, and no other writer needs the rows of a batch: it only uses CPU and disk. */
  server: { heldMs: 15, rest: 1 },
} as const satisfies Record<string, Pace>

/**
 * The number of rows of a batch: of the first one, and the minimum and maximum, so that a slow disk does not stop the work and a fast one
 * does not fill the memory.
 */
export type BatchBounds = { first: number; least: number; most: number }

/**
 * If a batch waits long for its locks, other transactions wait just as long. The batch may then hold its locks for half of its wait, so
 * it adds at most half to the waits that exist anyway. Otherwise it would hardly progress.
 */
export function paceNextTo(pace: Pace, waitedMs: number): Pace {
  return { ...pace, heldMs: Math.max(pace.heldMs, Math.min(waitedMs / 2, longestHeldMs)) }
}

const longestHeldMs = 100

/**
 * The number of rows for the next batch, by the last one: its allowed and actual rows, and how long it held its locks. A batch with few
 * rows does not show how long many rows take.
 */
export function nextSize(
  size: number,
  { rows, heldMs }: { rows: number; heldMs: number },
  { pace, bounds }: { pace: Pace; bounds: BatchBounds },
): number {
  const target = Math.round((size * pace.heldMs) / Math.max(heldMs, 0.1))
  const most = rows < size / 2 ? size : 2 * size
  return Math.max(Math.min(target, most, bounds.most), bounds.least)
}

/** The longest rest: stopping a process waits for the end of a rest. */
const longestRestMs = 2_000

/** The milliseconds to rest after a batch, by its duration including reads, without its wait for locks, during which others had the database. */
export function restAfter(workMs: number, waitedMs: number, pace: Pace): number {
  return Math.min(Math.max(1, workMs * pace.rest - waitedMs), longestRestMs)
}
