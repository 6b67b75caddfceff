import { preservePointers, visibleErrors } from '#shared/domain/item/guard.ts'
import { findAt } from '#shared/json/edit/at-pointer.ts'
import type { NewItemData } from './validate-item-data.ts'

/**
 * The data of an item after a principal has replaced the part that it sees: guarded values that it omits stay (contract 2.2).
 * @param before the data of the item
 * @param replacement.sent the new source text of the part that the principal sees; `value` is the same, parsed
 * @param replacement.guards pointers of values that the principal does not see
 */
export function replacedData(
  before: string,
  { sent, value, guards }: { sent: string; value: unknown; guards: readonly string[] },
): Omit<NewItemData, 'limits'> {
  const data = preservePointers(before, sent, guards)
  return {
    data,
    value: data === sent ? value : JSON.parse(data),
    stored: before,
    sentBytes: Buffer.byteLength(sent),
    visibleErrors: (errors) => visibleErrors(errors, omittedPointers(sent, guards)),
  }
}

/** Guarded values that the principal did not send are hidden from it. */
function omittedPointers(sent: string, guards: readonly string[]): string[] {
  return guards.filter((guard) => (findAt(sent, guard) ?? 'null') === 'null')
}
