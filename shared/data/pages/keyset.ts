import { maxCounted, page } from '#shared/domain/limits.ts'
import { validationFailed } from '#shared/errors.ts'
import { makeCursor, readCursor, type SeekPosition } from './cursor.ts'
import type { Direction, OrderKey, Page, PageRequest, Total } from './page.ts'

// The common parts of all pages: which rows to read, where a page ends, and the cursor of the next one. A listing reads the rows itself, in
// the order of their keys and then of their ids.

/** The rows to read for a page, out of all rows in their order. */
export type PagePart<K extends OrderKey = OrderKey> = {
  direction: Direction
  /** The position after which the rows begin; null: from the beginning. */
  from: SeekPosition<K> | null
  limit: number
  offset: number
}

/**
 * The part to read for a page. A cursor page reads one row more, which shows whether another page follows.
 * @param isKey whether a key has the type of this order's keys
 * @throws VALIDATION_FAILED when the cursor is invalid, or was issued for another order, direction or filter
 */
export function partOf<K extends OrderKey>(
  request: PageRequest,
  isKey: (key: OrderKey) => key is K = (_key): _key is K => true,
): PagePart<K> {
  const { direction, limit } = request
  if (!('after' in request)) return { direction, from: null, limit, offset: (request.page - 1) * limit }
  const from = request.after === '' ? null : readCursor(request.after, request, isKey)
  return { direction, from, limit: limit + 1, offset: 0 }
}

export const isNumberKey = (key: OrderKey) => typeof key === 'number'
export const isTextKey = (key: OrderKey) => typeof key === 'string'

/** Whether a part begins after the last row, so that there is nothing to read. @param total null: unknown */
export function isBeyond({ offset }: PagePart, total: Total | null): boolean {
  return total !== null && !total.totalIsAtLeast && offset >= total.total
}

/**
 * Ends a page: removes the row that was read ahead, and rows that exceed the bytes of a page.
 * @param rows those of the part, in order
 * @param of.bytes the size of the texts of the nth row; absent: the rows are short
 * @param of.examinedTo the position at which the rows end although more may follow; null or absent: no such position
 * @returns the rows of the page, and the cursor of the next page, null when none follows
 * @throws VALIDATION_FAILED for a page by number when it exceeds the bytes of a page
 */
export function endPage<R>(
  request: PageRequest,
  rows: readonly R[],
  of: {
    position: (row: R) => SeekPosition
    bytes?: (row: R, n: number) => number
    examinedTo?: SeekPosition | null
  },
): { rows: R[]; next: string | null } {
  const found = rows.slice(0, request.limit)
  const shown = of.bytes ? found.slice(0, fittingRows(request, found.map(of.bytes))) : found
  const last = rows.length > shown.length ? shown.at(-1) : undefined
  const end = last === undefined ? of.examinedTo : of.position(last)
  return { rows: shown, next: end ? makeCursor(end, request) : null }
}

/**
 * How many of the rows fit one page, which is also bounded in bytes and has at least one row. A page by cursor ends early when they do not
 * all fit.
 */
function fittingRows(request: PageRequest, bytesOfRows: readonly number[]): number {
  let bytes = 0
  for (const [n, rowBytes] of bytesOfRows.entries()) {
    bytes += rowBytes
    if (n === 0 || bytes <= page.maxBytes) continue
    if ('after' in request) return n
    const message = 'selects rows of more than 8 MiB; lower it, or page with after, where pages end early'
    throw validationFailed([{ path: 'limit', message }])
  }
  return bytesOfRows.length
}

/** @param total null for a page by cursor, which has none */
export function toPage<T>(
  request: PageRequest,
  { data, next, examined }: { data: T[]; next: string | null; examined?: number | undefined },
  total: Total | null,
): Page<T> {
  const { limit } = request
  if (!('after' in request) && total) return { page: request.page, limit, ...total, data }
  return { limit, next, ...(examined !== undefined && { examined }), data }
}

/**
 * The total of a filtered listing, which is exact up to a limit (contract 1.3).
 * @param counted the count, up to one more than the limit
 * @param of.isWhole false: there may be more that were not examined
 */
export function filteredTotal(counted: number, { isWhole = true }: { isWhole?: boolean } = {}): Total {
  if (isWhole && counted <= maxCounted) return { total: counted }
  return { total: Math.min(counted, maxCounted), totalIsAtLeast: true }
}
