import { isGuarded } from '#shared/domain/item/guard.ts'
import { type IndexValue, indexValues } from '#shared/domain/item/index-value.ts'
import { AppError, validationFailed } from '#shared/errors.ts'
import type { DataError } from '#shared/json-schema/errors.ts'
import type { ListConfig } from '../lists/list-cache.ts'
import type { ItemDeps } from './context.ts'

/** The size of valid data, and its entries in the list's indexes. */
export type ValidItemData = { size: number; indexValues: IndexValue[] }

/**
 * Validates data by the size limit, the list's schema and its indexes.
 * @param options.value the parsed `text`, only to be validated
 * @param options.hidden guard pointers of values that the principal did not send: it learns only that they have errors
 * @throws PAYLOAD_TOO_LARGE, ITEM_SCHEMA_INVALID, VALIDATION_FAILED, SERVICE_UNAVAILABLE
 */
export async function validateItemData(
  deps: Pick<ItemDeps, 'config'>,
  list: ListConfig,
  { text, value, hidden }: { text: string; value: unknown; hidden: readonly string[] },
): Promise<ValidItemData> {
  const size = Buffer.byteLength(text)
  const { maxBytes } = deps.config.items
  if (size > maxBytes) throw dataTooLarge(maxBytes)
  if (list.validator) assertMatchesSchema(await list.validator(text, value), hidden)
  const { values, errors } = indexValues(list.indexes, value)
  if (errors.length > 0) throw validationFailed(errors)
  return { size, indexValues: values }
}

export function dataTooLarge(maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', {
    message: "The item's data is larger than this service accepts.",
    details: { maxBytes },
  })
}

function assertMatchesSchema(errors: readonly DataError[], hidden: readonly string[]): void {
  if (errors.length === 0) return
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
