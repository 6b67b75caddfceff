import { comparePositions } from './cursor.ts'
import { endPage, partOf, toPage } from './keyset.ts'
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
  const { from, limit, offset } = partOf(request)
  const rest = from
    ? positions.filter((position) => comparePositions(position, from, request.direction) > 0)
    : positions
  const ended = endPage(request, rest.slice(offset, offset + limit), { position: (position) => position })
  return toPage(request, { data: ended.rows.map(({ row }) => row), next: ended.next }, { total: rows.length })
}
