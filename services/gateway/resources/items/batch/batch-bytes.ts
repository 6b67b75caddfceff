import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import { removePointers } from '#shared/domain/item/guard.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { AppError } from '#shared/errors.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import type { ItemMutation } from '../writing/commit-item.ts'

const kib = 1024
const maxBytes = 32 * kib * kib

/** Adds up the bytes that the changes of a batch occupy in memory. @throws PAYLOAD_TOO_LARGE when they become too many */
export type BatchBytes = { add(mutation: ItemMutation): void }

/**
 * Counts the bytes of the items as they are before the batch; the commit has a separate limit for events and payloads.
 * For a principal that does not see guarded values both limits would reveal their size. So its changes count with the sizes
 * that it sees, for all copies that the commit writes. That is more than the commit counts, so this limit is reached first.
 */
export function createBatchBytes(
  { guards }: Pick<ListConfig, 'guards'>,
  { mode }: Pick<AuthenticatedPrincipal, 'mode'>,
): BatchBytes {
  const bytesOf =
    mode === 'token' && guards.length > 0
      ? (mutation: ItemMutation) => apparentBytes(mutation, guards)
      : ({ before }: ItemMutation) => before?.size ?? 0
  let bytes = 0
  return {
    add(mutation) {
      bytes += bytesOf(mutation)
      if (bytes > maxBytes) throw tooLarge()
    },
  }
}

/** The snapshot and the payload contain the item after the change, or the deleted one; the payload also the item before the change. */
function apparentBytes({ before, after }: ItemMutation, guards: readonly string[]): number {
  const sizeOf = (item: Item | null) => (item ? apparentSize(item, guards) : 0)
  return after ? sizeOf(before) + 2 * sizeOf(after) : 2 * sizeOf(before)
}

function apparentSize({ data, size, description, tags }: Item, guards: readonly string[]): number {
  const visible = Buffer.byteLength(removePointers(data, guards))
  const hidden = size - visible
  const fields = Buffer.byteLength(JSON.stringify([description, tags]))
  return visible + (hiddenSteps.find((step) => hidden <= step) ?? maxBytes) + fields + otherFieldsBytes
}

/** The sizes as which guarded values count: the first one that they fit in. An item has at most the bytes that are sent and those it keeps. */
const hiddenSteps = [4 * kib, 64 * kib, kib * kib, 4 * kib * kib]
/** The most bytes that ids, times and names take in one copy of an item. */
const otherFieldsBytes = 3 * kib

function tooLarge(): AppError {
  const message = 'A batch updates and deletes at most 32 MiB of items; send fewer operations at a time.'
  return new AppError('PAYLOAD_TOO_LARGE', { message })
}
