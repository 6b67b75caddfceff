import { comparePositions, makeCursor, readCursor } from './cursor.ts'
import type { OrderKey, Page, PageRequest } from './page.ts'

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
