import { setImmediate as otherRequests } from 'node:timers/promises'
import { readItemPage } from '#shared/data/items/item-page.ts'
import { type ItemVisibilityFilter, visibleItems } from '#shared/data/items/item-set.ts'
import { createIndexTrial, type IndexTrial } from '#shared/domain/item/index-trial.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { indexTrialLimits } from '#shared/domain/limits.ts'
import type { List } from '#shared/domain/list/fields.ts'
import { AppError } from '#shared/errors.ts'
import { notFoundOrForbidden } from '../../auth/not-found.ts'
import { visibilityFor } from '../../auth/visibility.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { IndexDeps } from './context.ts'
import { type IndexCreation, plannedIndex } from './create-index.ts'
import { loadIndexes } from './load-index.ts'

/** Items of one statement. */
const pageItems = 250

/**
 * What an index would hold, if it were created: validated like the create, and nothing is written (contract 2.3). It covers the
 * newest items that the principal may view, at most 10,000 and 64 MiB of data.
 * @throws what creating it throws; TOKEN_NOT_AUTHORIZED for a token that may view no items, or not list them
 */
export async function tryIndex(deps: IndexDeps, { principal, list, fields }: IndexCreation): Promise<IndexTrial> {
  const current = await loadIndexes(deps, { principal, list, action: 'create' })
  const index = plannedIndex(deps, current, { principal, fields })
  if (current.list.readonly) throw new AppError('LIST_READONLY')
  const visibility = visibilityFor(principal, current.list.id)
  const isListable = principal.mode === 'user' || current.list.indexable
  if (visibility.kind === 'none' || !isListable) throw new AppError('TOKEN_NOT_AUTHORIZED')
  const trial = createIndexTrial(index)
  for await (const item of newestItems(deps, current.list, { principal, visibility })) trial.add(item)
  return trial.result()
}

type Viewer = { principal: AuthenticatedPrincipal; visibility: ItemVisibilityFilter }

async function* newestItems(
  { db }: IndexDeps,
  { id, accountId }: List,
  { principal, visibility }: Viewer,
): AsyncGenerator<Item> {
  const set = visibleItems(id, visibility, principal.mode === 'token' ? true : null)
  const options = { accountId, set, filtered: false, withData: true }
  const { maxItems, maxBytes } = indexTrialLimits
  let after: string | null = ''
  for (let [items, bytes] = [0, 0]; after !== null && items < maxItems && bytes < maxBytes; ) {
    const limit = Math.min(maxItems - items, pageItems)
    const request = { limit, order: 'createdAt', direction: 'desc', filters: '', after } as const
    const read: Awaited<ReturnType<typeof readItemPage>> = await readItemPage(db.long, options, request)
    if (read === null || read === 'too-many' || !('next' in read.page)) {
      throw notFoundOrForbidden(principal, 'create', 'index')
    }
    for (const item of read.page.data) {
      yield item
      items++
      bytes += item.size
      await otherRequests() // the data of one item may take milliseconds to parse
    }
    after = read.page.next
  }
}
