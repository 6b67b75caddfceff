import type { Queries } from '../database.ts'
import { idBounds } from '../pages/stretch.ts'
import { type RowBudget, walk } from '../pages/walk.ts'
import { type DeliverySet, type DeliveryStretch, walkedRanges } from './delivery-ranges.ts'

/**
 * Walks through the deliveries of a set in the order of their ids, in stretches (`walk`), regardless of how many pass the filters.
 * @param way.waiting the number of waiting deliveries of the set, all of which every stretch examines; absent: none
 */
export function walkDeliveries(
  db: Queries,
  set: DeliverySet,
  way: Pick<DeliveryStretch, 'direction' | 'from'> & { budget: RowBudget; waiting?: number },
): AsyncGenerator<DeliveryStretch> {
  return walk<null>(db, walkedRanges(set), { ...way, scanned: way.waiting ?? 0, bounds: idBounds(set) })
}
