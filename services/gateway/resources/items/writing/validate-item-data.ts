import { preservePointers, visibleErrors } from '#shared/domain/item/guard.ts'
import { type IndexValue, indexValues, unreachableAliases } from '#shared/domain/item/index-value.ts'
import { maxItemBytes, type PlanLimits } from '#shared/domain/plan/plan.ts'
import { type ItemWords, itemWords } from '#shared/domain/search/item-words.ts'
import { AppError, validationFailed } from '#shared/errors.ts'
import { findAt } from '#shared/json/edit/at-pointer.ts'
import type { DataError } from '#shared/json-schema/errors.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import type { ItemDeps } from '../context.ts'

/** Data to write: what the principal sent, in place of what the item has. */
type NewItemData = {
  /** Source text, as the principal sees it. */
  sent: string
  /** The parsed `sent`, only to be validated. */
  value: unknown
  /** The data of the item now; absent for a new item. */
  before?: string
  /** The data of the item now where `sent` is all of what it will have; absent: `before`. */
  stored?: string | undefined
  /** Pointers of values that the principal does not see: those that `sent` omits stay. */
  guards: readonly string[]
  /** Pointers of values whose errors are not reported; absent: of those of `guards` that `sent` omits. */
  hidden?: readonly string[]
  /** By which the size is decided; absent: those of `sent`. */
  sentBytes?: number
  /** Of the account; null: none. */
  limits: PlanLimits | null
}

/** Valid data with what it kept, its size, its entries in the list's indexes, and its words in those that are searched. */
export type ValidItemData = { data: string; size: number; indexValues: IndexValue[]; words: ItemWords }

/**
 * Validates data by the size limit, the list's schema and its indexes. The limit holds for what the principal sent: with what
 * is kept it would reveal how large the values are that the principal does not see.
 * @throws PAYLOAD_TOO_LARGE, ITEM_SCHEMA_INVALID, VALIDATION_FAILED, SERVICE_UNAVAILABLE
 */
export async function validateItemData(
  deps: Pick<ItemDeps, 'config'>,
  list: ListConfig,
  { sent, value: sentValue, before, stored = before, guards, hidden, limits, ...given }: NewItemData,
): Promise<ValidItemData> {
  const sentBytes = Buffer.byteLength(sent)
  if ((given.sentBytes ?? sentBytes) > maxItemBytes(deps.config.items.maxBytes, limits))
    throw dataTooLarge(deps, limits)
  const data = before === undefined ? sent : preservePointers(before, sent, guards)
  const [value, size] = data === sent ? [sentValue, sentBytes] : [JSON.parse(data), Buffer.byteLength(data)]
  if (list.validator)
    assertMatchesSchema(await list.validator(data, value), () => hidden ?? omittedPointers(sent, guards))
  const { values, errors } = indexValues(list.indexes, value)
  const unreachable = unreachableAliases(list.indexes, value, stored)
  if (errors.length + unreachable.length > 0) throw validationFailed([...errors, ...unreachable])
  return { data, size, indexValues: values, words: itemWords(list.indexes, value) }
}

type SizeLimits = Pick<PlanLimits, 'maxItemSize'> | null

export function dataTooLarge(deps: Pick<ItemDeps, 'config'>, limits: SizeLimits): AppError {
  const max = maxItemBytes(deps.config.items.maxBytes, limits)
  const byPlan = max === limits?.maxItemSize
  return new AppError('PAYLOAD_TOO_LARGE', {
    message: `The item's data is larger than ${byPlan ? 'the price plan allows' : 'this service accepts'}.`,
    details: byPlan ? { limit: 'maxItemSize', max } : { maxBytes: max },
  })
}

/** Of values that are hidden it says only that they have errors. */
function assertMatchesSchema(errors: readonly DataError[], hidden: () => readonly string[]): void {
  if (errors.length === 0) return
  throw new AppError('ITEM_SCHEMA_INVALID', {
    details: { errors: visibleErrors(errors, hidden()).map((error) => ({ ...error, msg: error.message })) },
  })
}

/** Guarded values that the principal did not send are hidden from it. */
function omittedPointers(sent: string, guards: readonly string[]): string[] {
  return guards.filter((guard) => (findAt(sent, guard) ?? 'null') === 'null')
}
