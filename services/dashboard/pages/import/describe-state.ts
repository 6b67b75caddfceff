import type { ImportState } from '#shared/domain/item-transfer/import-rows.ts'
import { count } from '../../parts/display/text.tsx'

/** The result for the rows so far. Existing rows are only mentioned if there are any. */
export function describeState({ created, existing, refused }: ImportState, between = ', '): string {
  const there = existing > 0 ? [`${count(existing)} already existed`] : []
  return [`${count(created)} created`, ...there, `${count(refused)} rejected`].join(between)
}
