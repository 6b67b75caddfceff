import { page } from '#shared/domain/limits.ts'
import { validationFailed } from '#shared/errors.ts'
import { makeCursor, readCursor, type SeekPosition } from './cursor.ts'

export type Direction = 'asc' | 'desc'

/** Which page of what: by number, or behind a cursor (contract 1.3). */
export type PageRequest = {
  limit: number
  order: string
  direction: Direction
  /** The filters as one text: a cursor is only good for the filters it was made with. */
  filters: string
} & ({ page: number } | { after: string })

/** A page as it goes on the wire, its rows still domain values. */
export type Page<T> = NumberedPage<T> | CursorPage<T>
export type NumberedPage<T> = {
  page: number
  limit: number
  total: number
  /** Present when a filtered total was not counted to its end. */
  totalIsAtLeast?: true
  data: T[]
}
export type CursorPage<T> = { limit: number; next: string | null; data: T[] }

/** What rows are ordered by; text is compared by code points, so it is handed over in its caseless form. */
export type OrderKey = string | number | boolean | null

/**
 * One page of rows that are all at hand, for what a price plan keeps few in an account. The databases compare text in
 * three ways, none of them the caseless order of contract 1.3; here it is one.
 * Equal keys are ordered by id in the same direction; rows without a key come last in both.
 * @throws VALIDATION_FAILED for a cursor that is none, or was made with another order, direction or filter
 */
export function pageOf<T extends { id: string }>(
  rows: readonly T[],
  request: PageRequest,
  keyOf: (row: T) => OrderKey,
): Page<T> {
  const places = rows.map((row) => ({ row, key: keyOf(row), id: row.id }))
  places.sort((left, right) => comparePositions(left, right, request.direction))
  if ('page' in request) {
    const start = (request.page - 1) * request.limit
    const data = places.slice(start, start + request.limit).map(({ row }) => row)
    return { page: request.page, limit: request.limit, total: rows.length, data }
  }
  const from = request.after === '' ? null : readCursor(request.after, request)
  const behind = from ? places.filter((place) => comparePositions(place, from, request.direction) > 0) : places
  const found = behind.slice(0, request.limit)
  const last = behind.length > found.length ? found.at(-1) : undefined
  return { limit: request.limit, next: last ? makeCursor(last, request) : null, data: found.map(({ row }) => row) }
}

/**
 * How many of the rows that were found one page holds, by the bytes of their texts: it is bounded in bytes too, and holds
 * one row at least. A page by cursor ends early then.
 * @throws VALIDATION_FAILED for a page by number, where that would leave rows out
 */
export function fittingRows(request: PageRequest, bytesOfRows: readonly number[]): number {
  let bytes = 0
  for (const [n, ofRow] of bytesOfRows.entries()) {
    bytes += ofRow
    if (n === 0 || bytes <= page.maxBytes) continue
    if ('after' in request) return n
    const message = 'asks for more than 8 MiB; ask for fewer, or page with after, where pages end early'
    throw validationFailed([{ path: 'limit', message }])
  }
  return bytesOfRows.length
}

/** Below 0: the left one comes first. */
export function comparePositions(left: SeekPosition, right: SeekPosition, direction: Direction): number {
  if (left.key === null || right.key === null) {
    if (left.key !== right.key) return left.key === null ? 1 : -1
  }
  const ascending = compareKeys(left.key, right.key) || compareKeys(left.id, right.id)
  return direction === 'asc' ? ascending : -ascending
}

function compareKeys(left: OrderKey, right: OrderKey): number {
  if (typeof left === 'string' && typeof right === 'string')
    return Buffer.compare(Buffer.from(left), Buffer.from(right))
  return Math.sign(Number(left) - Number(right))
}
