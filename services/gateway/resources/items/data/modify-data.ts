import { removePointers } from '#shared/domain/item/guard.ts'
import { nextItem } from '#shared/domain/item/next-item.ts'
import { laterThan } from '#shared/domain/later-than.ts'
import { maxJsonDepth } from '#shared/domain/limits.ts'
import { AppError, validationFailed } from '#shared/errors.ts'
import { PatchFailed } from '#shared/json/edit/patch.ts'
import { scanJson } from '#shared/json/text/text.ts'
import type { ItemDeps, ItemResult } from '../context.ts'
import { type ItemModification, modifyItem } from '../writing/modify-item.ts'
import { replacedData } from '../writing/replaced-data.ts'
import { validateItemData } from '../writing/validate-item-data.ts'

/** A write of the value at a pointer in an item's data; the empty pointer is all of it. */
export type DataModification = Omit<ItemModification, 'action'> & { pointer: string }

/** The part of an item's data that the principal sees, and the pointers of the values that it does not see. */
type VisibleData = { data: string; guards: readonly string[] }

/**
 * Changes the data of an item by a function of its text. In token mode the function gets the data that the token sees, so that
 * neither the outcome nor errors reveal guarded values. Guarded values that the change does not set stay if their parent stays.
 * @throws the errors of `modifyItem` and `validateItemData`, ITEM_READONLY, POINTER_NOT_FOUND, the errors of `change`
 */
export function modifyData(
  deps: ItemDeps,
  request: DataModification,
  change: (visible: VisibleData) => string,
): Promise<ItemResult> {
  return modifyItem(deps, { ...request, action: 'update' }, async (before, config) => {
    if (before.readonly) throw new AppError('ITEM_READONLY')
    const guards = request.principal.mode === 'token' ? config.guards : []
    const visible = { data: removePointers(before.data, guards), guards }
    const sent = orPointerNotFound(() => change(visible))
    assertDepth(sent)
    const { limits } = request.principal
    const changed = replacedData(before.data, { sent, value: JSON.parse(sent), guards })
    const { data, size, indexValues, words } = await validateItemData(deps, config, { ...changed, limits })
    const at = laterThan(before, deps.now())
    return { before, after: nextItem(before, {}, { data, size, at }), indexValues, words, at }
  })
}

/** A value may be allowed in a body, but be too deep at its place in the data. */
function assertDepth(data: string): void {
  if (scanJson(Buffer.from(data)).depth <= maxJsonDepth) return
  throw validationFailed([{ path: 'data', message: `must not be nested deeper than ${maxJsonDepth} levels` }])
}

function orPointerNotFound(change: () => string): string {
  try {
    return change()
  } catch (error) {
    if (!(error instanceof PatchFailed)) throw error
    throw new AppError('POINTER_NOT_FOUND', { message: `The item's data cannot be changed there: ${error.message}.` })
  }
}
