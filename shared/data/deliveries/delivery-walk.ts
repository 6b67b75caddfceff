import type { Queries } from '../database.ts'
import { idBounds } from '../pages/stretch.ts'
import { type RowBudget, walk } from '../pages/walk.ts'
import { type DeliverySet, type DeliveryStretch, walkedRanges } from './delivery-ranges.ts'

/**
 * Goes through the deliveries of a set in the order of their ids, whatever filters pass, in stretches (`walk`).
 * @param way.waiting how many deliveries of the set wait, of which every stretch examines all; absent: none
 */
export function walkDeliveries(
  db: Queries,
  set: DeliverySet,
  way: Pick<DeliveryStretch, 'direction' | 'from'> & { budget: RowBudget; waiting?: number },
): AsyncGenerator<DeliveryStretch> {
  return walk<null>(db, walkedRanges(set), { ...way, scanned: way.waiting ?? 0, bounds: idBounds(set) })
}
