import { isGuarded, preservePointers } from '#shared/domain/item/guard.ts'
import { type IndexValue, indexValues } from '#shared/domain/item/index-value.ts'
import { AppError, validationFailed } from '#shared/errors.ts'
import { findAt } from '#shared/json/at-pointer.ts'
import type { DataError } from '#shared/json-schema/errors.ts'
import type { ListConfig } from '../lists/list-cache.ts'
import type { ItemDeps } from './context.ts'

/** Data to write: what the principal sent, in place of what the item has. */
type NewItemData = {
  /** Source text, as the principal sees it. */
  sent: string
  /** The parsed `sent`, only to be validated. */
  value: unknown
  /** The data of the item now; absent for a new item. */
  before?: string
  /** Pointers of values that the principal does not see: those that `sent` omits stay. */
  guards: readonly string[]
}

/** Valid data with what it kept, its size, and its entries in the list's indexes. */
export type ValidItemData = { data: string; size: number; indexValues: IndexValue[] }

/**
 * Validates data by the size limit, the list's schema and its indexes. The limit holds for what the principal sent: with what
 * is kept it would tell how large the values are that the principal does not see.
 * @throws PAYLOAD_TOO_LARGE, ITEM_SCHEMA_INVALID, VALIDATION_FAILED, SERVICE_UNAVAILABLE
 */
export async function validateItemData(
  deps: Pick<ItemDeps, 'config'>,
  list: ListConfig,
  { sent, value: sentValue, before, guards }: NewItemData,
): Promise<ValidItemData> {
  const { maxBytes } = deps.config.items
  const sentBytes = Buffer.byteLength(sent)
  if (sentBytes > maxBytes) throw dataTooLarge(maxBytes)
  const data = before === undefined ? sent : preservePointers(before, sent, guards)
  const [value, size] = data === sent ? [sentValue, sentBytes] : [JSON.parse(data), Buffer.byteLength(data)]
  if (list.validator) assertMatchesSchema(await list.validator(data, value), { sent, guards })
  const { values, errors } = indexValues(list.indexes, value)
  if (errors.length > 0) throw validationFailed(errors)
  return { data, size, indexValues: values }
}

export function dataTooLarge(maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', {
    message: "The item's data is larger than this service accepts.",
    details: { maxBytes },
  })
}

/** Of guarded values that the principal did not send it learns only that they have errors. */
function assertMatchesSchema(
  errors: readonly DataError[],
  { sent, guards }: Pick<NewItemData, 'sent' | 'guards'>,
): void {
  if (errors.length === 0) return
  const hidden = guards.filter((guard) => (findAt(sent, guard) ?? 'null') === 'null')
  const visible = errors.filter(({ pointer }) => !isGuarded(pointer, hidden))
  throw new AppError('ITEM_SCHEMA_INVALID', {
    details: {
      errors: [
        ...visible.map(({ pointer, path, message }) => ({ pointer, path, message, msg: message })),
        ...(visible.length < errors.length ? [hiddenError] : []),
      ],
    },
  })
}

const hiddenMessage = 'A value that you cannot see does not match the schema.'
const hiddenError = { pointer: '', path: 'data', message: hiddenMessage, msg: hiddenMessage }
