import { comparePositions, makeCursor, readCursor } from './cursor.ts'
import type { OrderKey, Page, PageRequest } from './page.ts'

/**
 * One page of rows that are all in memory, for resources that a price plan keeps few in an account. The databases compare
 * text in three ways, none of them the case-folded order of contract 1.3, which is implemented here once.
 * Equal keys are ordered by id in the same direction; rows without a key come last in both.
 * @throws VALIDATION_FAILED when the cursor is invalid, or was made with another order, direction or filter
 */
export function pageOf<T extends { id: string }>(
  rows: readonly T[],
  request: PageRequest,
  keyOf: (row: T) => OrderKey,
): Page<T> {
  const positions = rows.map((row) => ({ row, key: keyOf(row), id: row.id }))
  positions.sort((left, right) => comparePositions(left, right, request.direction))
  if ('page' in request) {
    const start = (request.page - 1) * request.limit
    const data = positions.slice(start, start + request.limit).map(({ row }) => row)
    return { page: request.page, limit: request.limit, total: rows.length, data }
  }
  const from = request.after === '' ? null : readCursor(request.after, request)
  const rest = from
    ? positions.filter((position) => comparePositions(position, from, request.direction) > 0)
    : positions
  const found = rest.slice(0, request.limit)
  const last = rest.length > found.length ? found.at(-1) : undefined
  return { limit: request.limit, next: last ? makeCursor(last, request) : null, data: found.map(({ row }) => row) }
}
