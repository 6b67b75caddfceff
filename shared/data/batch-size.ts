/** How long a batch of background work should hold its locks: other writers wait for it. */
const targetHeldMs = 5
const maxItems = 250
/** The round trips to a server alone may take longer than the target, however small the batch. */
const minItems = 10
/** Between two batches other writers have the database for at least this long, and for twice the time of a batch. */
const minPauseMs = 5

/** The items of the first batch, and the bytes of their data in each. */
export const firstBatch: { items: number; bytes: number } = { items: 20, bytes: 1024 * 1024 }

/** The batch size that should take the target time, by the last batch: a slow disk or many indexes make batches small. */
export function nextBatchSize(items: number, heldMs: number): number {
  const target = Math.round((items * targetHeldMs) / Math.max(heldMs, 1))
  return Math.max(Math.min(target, 2 * items, maxItems), minItems)
}

/** The pause behind a batch that held its locks for so long. */
export function pauseAfter(heldMs: number): number {
  return Math.max(minPauseMs, 2 * heldMs)
}
