import type { ImportState } from '#shared/domain/item-transfer/import-rows.ts'
import { count } from '../../parts/display/text.tsx'

/** What became of the rows so far. A first import of a file does not mention existing rows. */
export function describeState({ created, existing, refused }: ImportState, between = ', '): string {
  const there = existing > 0 ? [`${count(existing)} already existed`] : []
  return [`${count(created)} created`, ...there, `${count(refused)} rejected`].join(between)
}
