import { type IndexValue, indexValues, unreachableAliases } from '#shared/domain/item/index-value.ts'
import { maxItemBytes, type PlanLimits } from '#shared/domain/plan/plan.ts'
import { type ItemWords, itemWords } from '#shared/domain/search/item-words.ts'
import { AppError, validationFailed } from '#shared/errors.ts'
import type { DataError } from '#shared/json-schema/errors.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import type { ItemDeps } from '../context.ts'

/** Data to write. */
export type NewItemData = {
  /** The source text of the whole data that the item will have. */
  data: string
  /** The parsed `data`, which is only validated. */
  value: unknown
  /** The data of the item now; absent for a new item. */
  stored?: string | undefined
  /** The bytes that the principal sent, if it does not see all of the data; absent: those of `data`. */
  sentBytes?: number
  /** The reported form of schema errors, if the principal does not see all of the data; absent: unchanged. */
  visibleErrors?: (errors: readonly DataError[]) => readonly DataError[]
  /** The limits of the account; null: none. */
  limits: PlanLimits | null
}

/** Valid data with its size, its entries in the list's indexes, and its words in those that are searched. */
export type ValidItemData = { data: string; size: number; indexValues: IndexValue[]; words: ItemWords }

/**
 * Validates data by the size limit, the list's schema and its indexes. The size limit applies to the data that the principal sent: for
 * the whole data it would reveal the size of values that the principal does not see.
 * @throws PAYLOAD_TOO_LARGE, ITEM_SCHEMA_INVALID, VALIDATION_FAILED, SERVICE_UNAVAILABLE
 */
export async function validateItemData(
  deps: Pick<ItemDeps, 'config'>,
  list: ListConfig,
  { data, value, stored, visibleErrors = asTheyAre, limits, ...sent }: NewItemData,
): Promise<ValidItemData> {
  const size = Buffer.byteLength(data)
  const { sentBytes = size } = sent
  if (sentBytes > maxItemBytes(deps.config.items.maxBytes, limits)) throw dataTooLarge(deps, limits)
  const invalid = list.validator ? await list.validator(data, value) : []
  if (invalid.length > 0) throw schemaInvalid(visibleErrors(invalid))
  const { values, errors } = indexValues(list.indexes, value)
  const unreachable = unreachableAliases(list.indexes, value, stored)
  if (errors.length + unreachable.length > 0) throw validationFailed([...errors, ...unreachable])
  return { data, size, indexValues: values, words: itemWords(list.indexes, value) }
}

const asTheyAre = (errors: readonly DataError[]) => errors

type SizeLimits = Pick<PlanLimits, 'maxItemSize'> | null

export function dataTooLarge(deps: Pick<ItemDeps, 'config'>, limits: SizeLimits): AppError {
  const max = maxItemBytes(deps.config.items.maxBytes, limits)
  const byPlan = max === limits?.maxItemSize
  return new AppError('PAYLOAD_TOO_LARGE', {
    message: `The item's data is larger than ${byPlan ? 'the price plan allows' : 'this service accepts'}.`,
    details: byPlan ? { limit: 'maxItemSize', max } : { maxBytes: max },
  })
}

function schemaInvalid(errors: readonly DataError[]): AppError {
  return new AppError('ITEM_SCHEMA_INVALID', {
    details: { errors: errors.map((error) => ({ ...error, msg: error.message })) },
  })
}
