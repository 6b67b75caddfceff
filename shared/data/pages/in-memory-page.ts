import { caseFold } from '#shared/domain/text/case-fold.ts'
import { comparePositions } from './cursor.ts'
import { endPage, partOf, toPage } from './keyset.ts'
import type { OrderKey, Page, PageRequest } from './page.ts'

/**
 * One page of rows that are all in memory, for resources that a price plan keeps few in an account. The databases compare
 * text in three ways, none of them the case-folded order of contract 1.3, which is implemented here once.
 * Equal keys are ordered by id in the same direction; rows without a key come last in both directions.
 * @throws VALIDATION_FAILED when the cursor is invalid, or was issued for another order, direction or filter
 */
export function pageOf<Order extends string, T extends { id: string } & { readonly [Name in Order]: OrderKey }>(
  rows: readonly T[],
  request: PageRequest & { order: Order },
): Page<T> {
  const { from, limit, offset } = partOf(request)
  const positions = rows.map((row) => ({ row, key: foldedKey(row[request.order]), id: row.id }))
  positions.sort((left, right) => comparePositions(left, right, request.direction))
  const rest = from
    ? positions.filter((position) => comparePositions(position, from, request.direction) > 0)
    : positions
  const ended = endPage(request, rest.slice(offset, offset + limit), { position: (position) => position })
  return toPage(request, { data: ended.rows.map(({ row }) => row), next: ended.next }, { total: rows.length })
}

function foldedKey(key: OrderKey): OrderKey {
  return typeof key === 'string' ? caseFold(key) : key
}
