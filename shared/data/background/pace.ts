/** How background work goes about a database that others use too. */
export type Pace = {
  /** For how many milliseconds a batch should hold its locks, and others wait for it. */
  heldMs: number
  /** Milliseconds of rest behind each millisecond of work. */
  rest: number
}

/** Which pace there is when depends on what others do: see `pacer.ts`. */
export const paces = {
  /** SQLite has one writer: whoever writes during a batch waits until it ends. */
  shared: { heldMs: 2, rest: 2 },
  /** The same while nobody else writes: whoever comes first waits that once. */
  alone: { heldMs: 15, rest: 0.25 },
  /** A server has many writers, and nobody else wants the rows of a batch: it only takes part of the processor and the disk. */
  server: { heldMs: 15, rest: 1 },
} as const satisfies Record<string, Pace>

/** How many rows a batch may have: the first one, and at least and most. A slow disk must not stop the work, nor a fast one fill the memory. */
export type BatchBounds = { first: number; least: number; most: number }

/**
 * Where work has to wait for its locks, so has everybody else: next to long transactions of others a batch may hold its locks for half of
 * what it waits, and adds no more than that to what they wait for each other anyway. Otherwise it would do next to nothing.
 */
export function paceNextTo(pace: Pace, waitedMs: number): Pace {
  return { ...pace, heldMs: Math.max(pace.heldMs, Math.min(waitedMs / 2, longestHeldMs)) }
}

const longestHeldMs = 100

/**
 * How many rows the next batch should have, by the last one: those it might have had and had, and how long it held its locks. One
 * that had few rows, because others were too long or need not be touched, does not tell how long many take.
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

/** Whoever stops a process waits for the end of a rest. */
const longestRestMs = 2_000

/**
 * For how many milliseconds to rest behind a batch that took so long, with its reads and without its wait for locks: others have had the
 * database while it waited.
 */
export function restAfter(workMs: number, waitedMs: number, pace: Pace): number {
  return Math.min(Math.max(1, workMs * pace.rest - waitedMs), longestRestMs)
}
