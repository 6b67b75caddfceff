import type { ImportState } from '#shared/domain/item-transfer/import-rows.ts'
import { count } from '../../parts/display/text.tsx'

/** What became of the rows so far. Who imports a file for the first time is not told what was there. */
export function describeState({ created, existing, refused }: ImportState, between = ', '): string {
  const there = existing > 0 ? [`${count(existing)} already there`] : []
  return [`${count(created)} created`, ...there, `${count(refused)} rejected`].join(between)
}
