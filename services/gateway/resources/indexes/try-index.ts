import { retryOnConflict } from '#shared/data/conflict.ts'
import { newestItems } from '#shared/data/item-pages/newest-items.ts'
import { withoutValuesAt } from '#shared/domain/item/guard.ts'
import { createIndexTrial, type IndexTrial } from '#shared/domain/item/index-trial.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { seenItemsLimits, storedItemsLimits } from '#shared/domain/limits.ts'
import { guardPointers } from '#shared/domain/list/index-settings.ts'
import { indexWarnings } from '#shared/domain/list/warnings.ts'
import { AppError } from '#shared/errors.ts'
import { visibleItemsFor } from '../../auth/visibility.ts'
import type { IndexDeps } from './context.ts'
import { changeWarnings, type IndexCreation, plannedIndex } from './indexes.ts'
import { loadIndexes } from './load-index.ts'

/**
 * The values that an index would have. The request is validated like a create, but nothing is written (contract 2.3). The values are
 * those of the newest items that the principal may view: at most 10,000 items and 64 MiB of data. If guarded values are hidden from the
 * principal, at most 1,000 items and 64 MiB of the data that it sees.
 * @throws the errors of `createIndex`; TOKEN_NOT_AUTHORIZED for a token that may view no items, may view items by conditions, or may not
 *   list them
 */
export async function tryIndex(deps: IndexDeps, creation: IndexCreation): Promise<IndexTrial & Warnings> {
  const { trial, warnings: ofChange } = await retryOnConflict('list', () => tryNow(deps, creation))
  const warnings = [...indexWarnings(creation.fields), ...ofChange]
  return { ...trial, ...(warnings.length > 0 && { warnings }) }
}

/** Warnings about settings that are probably a mistake, and about dependents of what the index removes; absent: none. */
type Warnings = { warnings?: string[] }

async function tryNow(
  deps: IndexDeps,
  { principal, list, fields }: IndexCreation,
): Promise<{ trial: IndexTrial; warnings: string[] }> {
  const current = await loadIndexes(deps, { principal, list, action: 'create' })
  const index = plannedIndex(deps, current, { principal, fields })
  if (current.list.readonly) throw new AppError('LIST_READONLY')
  const { id, accountId, indexable } = current.list
  const set = visibleItemsFor(principal, { id, indexes: current.indexes }, 'any')
  // With conditions, the number of items to examine for those that the token may view is unbounded.
  const isAsked = set?.visible.kind === 'asked' || set?.drafts?.kind === 'asked'
  if (!set || isAsked || (principal.mode === 'token' && !indexable)) throw new AppError('TOKEN_NOT_AUTHORIZED')
  const trial = createIndexTrial(index)
  const hidden = principal.mode === 'token' ? guardPointers(current.indexes) : []
  const [limits, see] =
    hidden.length === 0
      ? [storedItemsLimits, undefined]
      : [seenItemsLimits, (item: Item) => withoutValuesAt(item, hidden)]
  for await (const item of newestItems(deps.db.long, { accountId, set, see }, limits)) trial.add(item)
  const warnings = await changeWarnings(deps, principal, { current, change: { before: null, after: index } })
  return { trial: trial.result(), warnings }
}
