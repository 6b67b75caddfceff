import { seesState, viewsByConditions } from '#services/gateway/auth/item-states.ts'
import { seesEveryItem, visibleItemsFor } from '#services/gateway/auth/visibility.ts'
import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import { Conflict } from '#shared/data/conflict.ts'
import { findItems } from '#shared/data/items/items.ts'
import { searchItems as findBest } from '#shared/data/search/search.ts'
import type { SearchTerms } from '#shared/domain/search/query.ts'
import type { Scored } from '#shared/domain/search/ranking.ts'
import { type ListConfig, ruledList } from '../../lists/list-cache.ts'
import { withList } from '../../lists/with-list.ts'
import type { ItemDeps, ItemResult } from '../context.ts'
import { assertVisibilityBuilt, indexBuilding, searchedTerms } from '../questions/assert-built.ts'
import { assertListed } from '../reading/assert-listed.ts'
import { assertVisibleList } from '../reading/load-item.ts'

export type ItemSearch = {
  principal: AuthenticatedPrincipal
  list: string
  asked: SearchTerms
  includeItems: boolean
}

/** The result of a search. `isTruncated`: items that were not examined could be among the best. */
export type SearchResult = { found: Found[]; isTruncated: boolean }

/** An item that was found; `result` with `includeItems` only. */
export type Found = { relevance: number; id: string; result: ItemResult | null }

/**
 * The best items with these words, best first, among those that the principal's pages show by default.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, INDEX_NOT_USABLE, INDEX_BUILDING, SERVICE_UNAVAILABLE
 */
export function searchItems(
  deps: ItemDeps,
  { principal, list, asked, includeItems }: ItemSearch,
): Promise<SearchResult> {
  const { accountId } = principal
  return withList(deps.lists, { accountId, ref: list }, async (found) => {
    const config = assertVisibleList(found, { principal, action: 'view' })
    await assertListed(deps, config, principal)
    const { terms, index } = await searchedTerms(deps, config)
    const set = visibleItemsFor(principal, ruledList(config))
    if (!set) return { found: [], isTruncated: false }
    await assertVisibilityBuilt(deps, config, { principal, set })
    const seesAll = seesEveryItem(principal, terms.listId)
    const result = await findBest(deps.db.long, terms, { asked, set, seesAll })
    if ('building' in result) throw indexBuilding(index, seesAll ? result.building : null)
    const { best, isTruncated } = result
    if (includeItems) return { found: await withItems(deps, config, { principal, best }), isTruncated }
    if (best.length === 0 && !(await deps.lists.isCurrent(accountId, terms.listId, config))) throw new Conflict('list')
    return { found: best.map(({ itemId: id, score: relevance }) => ({ relevance, id, result: null })), isTruncated }
  })
}

/** The current items, without those that were deleted or hidden since. @throws Conflict when the list has changed */
async function withItems(
  { db }: ItemDeps,
  config: ListConfig,
  { principal, best }: { principal: AuthenticatedPrincipal; best: readonly Scored[] },
): Promise<Found[]> {
  const { id: listId, accountId, configVersion } = config.list
  const ids = best.map(({ itemId }) => itemId)
  const found = await findItems(db, { accountId, listId }, ids)
  if (found?.configVersion !== configVersion) throw new Conflict('list')
  const list = ruledList(config)
  const isAsked = viewsByConditions(principal, listId)
  return best.flatMap(({ itemId: id, score: relevance }) => {
    const item = found.items.get(id)
    return item && (!isAsked || seesState(principal, list, item)) ? [{ relevance, id, result: { item, config } }] : []
  })
}
