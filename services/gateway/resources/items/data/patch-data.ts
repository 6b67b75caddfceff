import { throwIfInvalid } from '#services/gateway/http/input/validation.ts'
import { isGuarded } from '#shared/domain/item/guard.ts'
import { guardedOperationErrors, withBlindReplaces } from '#shared/domain/item/guard-patch.ts'
import { maxItemBytes } from '#shared/domain/plan/plan.ts'
import { AppError } from '#shared/errors.ts'
import { findAt, setAt } from '#shared/json/edit/at-pointer.ts'
import { JsonEdit } from '#shared/json/edit/edit.ts'
import { applyPatch, PatchFailed, type PatchOperation, PatchTooLong } from '#shared/json/edit/patch.ts'
import type { ItemDeps, ItemResult } from '../context.ts'
import { dataTooLarge } from '../writing/validate-item-data.ts'
import { type DataModification, modifyData } from './modify-data.ts'

/**
 * Applies a patch (RFC 6902) to the value at a pointer, all or nothing (contract 2.2).
 * @param request.operations their pointers begin at the patched value
 * @throws the errors of `modifyData`, ITEM_PATCH_FAILED, VALIDATION_FAILED for operations that would reveal a guarded value
 */
export function patchData(
  deps: ItemDeps,
  { operations, ...request }: DataModification & { operations: readonly PatchOperation[] },
): Promise<ItemResult> {
  const { limits } = request.principal
  const { pointer: at } = request
  const size = {
    maxLength: maxItemBytes(deps.config.items.maxBytes, limits),
    tooLong: () => dataTooLarge(deps, limits),
  }
  return modifyData(deps, request, ({ data, guards }) => {
    // A guarded element is replaced by null, which is not its value.
    const present = isGuarded(at, guards) ? null : findAt(data, at)
    if (present === null) throw new AppError('POINTER_NOT_FOUND')
    const context = { data: new JsonEdit(data), at, guards }
    throwIfInvalid(guardedOperationErrors(operations, context))
    return setAt(data, at, patched(present, withBlindReplaces(operations, context), size))
  })
}

function patched(
  text: string,
  operations: readonly PatchOperation[],
  { maxLength, tooLong }: { maxLength: number; tooLong(): AppError },
): string {
  try {
    return applyPatch(text, operations, { maxLength })
  } catch (error) {
    if (error instanceof PatchTooLong) throw tooLong()
    if (!(error instanceof PatchFailed)) throw error
    const { operation, message } = error
    throw new AppError('ITEM_PATCH_FAILED', {
      message: `Operation ${operation} of the patch cannot be applied: ${message}. Nothing was changed.`,
      details: { operation },
    })
  }
}
