import { page } from '#shared/domain/limits.ts'
import { createTimeSlices } from '#shared/time/time-slices.ts'

/** How rows are reduced to what their caller sees. */
type View<R> = {
  /** The size of a row's whole texts, as far as they are still to be read. */
  bytes(row: R): number
  /**
   * Some rows with their whole texts; null: one of them changed since it was read. Returns new objects, because otherwise the rows that
   * are passed would keep the texts in memory.
   */
  complete(rows: readonly R[]): Promise<readonly R[] | null>
  see(row: R): R
  /** The size of the remaining texts of a row. */
  seenBytes(row: R): number
}

/**
 * The visible part of a page's rows, if that is less than their whole texts. The page is bounded by the visible bytes, because a bound on
 * the whole texts would reveal their size. So rows are completed and reduced in parts of the bytes of a page each, until the page is full.
 * @returns the rows as they are seen, in their order, without those after a full page; null when one of them changed
 */
export async function seenRows<R>(
  rows: readonly R[],
  { bytes, complete, see, seenBytes }: View<R>,
): Promise<R[] | null> {
  const pause = createTimeSlices()
  const seen: R[] = []
  let seenInAll = 0
  for (const part of partsOf(rows, bytes)) {
    const whole = await complete(part)
    if (!whole) return null
    for (const row of whole) {
      const left = see(row)
      seen.push(left)
      seenInAll += seenBytes(left)
      await pause()
    }
    if (seenInAll > page.maxBytes) break
  }
  return seen
}

/** Parts of rows in their order, each with at most the bytes of a page, or with one row. */
function* partsOf<R>(rows: readonly R[], bytes: (row: R) => number): Generator<R[]> {
  let part: R[] = []
  let bytesOfPart = 0
  for (const row of rows) {
    if (part.length > 0 && bytesOfPart + bytes(row) > page.maxBytes) {
      yield part
      part = []
      bytesOfPart = 0
    }
    part.push(row)
    bytesOfPart += bytes(row)
  }
  if (part.length > 0) yield part
}
