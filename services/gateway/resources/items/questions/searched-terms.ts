import { seesEveryItem } from '#services/gateway/auth/visibility.ts'
import type { ItemPrincipal } from '#services/gateway/request/principal.ts'
import { Conflict } from '#shared/data/conflict.ts'
import { findTermBuildProgress } from '#shared/data/index-builds/term-builds.ts'
import { repairTerms } from '#shared/data/lists/list-terms.ts'
import type { Terms } from '#shared/data/search/term-counts.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { isSearched, nothingSearched } from '#shared/domain/search/searched.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import type { ItemDeps } from '../context.ts'
import { indexBuilding } from './assert-built.ts'

/**
 * What the words of a list's items are stored under, and one of the indexes that they come from.
 * @throws INDEX_NOT_USABLE; Conflict when older code has changed which indexes are searched
 */
export async function searchedTerms(
  { db }: Pick<ItemDeps, 'db'>,
  { list, indexes, termsId }: ListConfig,
): Promise<{ terms: Terms; index: ListIndex }> {
  const index = indexes.find(isSearched)
  if (!index) throw nothingSearched()
  if (termsId === null) {
    await repairTerms(db, list.id)
    throw new Conflict('list')
  }
  return { terms: { listId: list.id, configVersion: list.configVersion, termsId }, index }
}

/**
 * Throws unless the words of all stored items are known. To a principal that sees every item the error says how many of them are.
 * @throws INDEX_NOT_USABLE, INDEX_BUILDING; Conflict as `searchedTerms`
 */
export async function assertWordsBuilt(
  deps: Pick<ItemDeps, 'db'>,
  config: ListConfig,
  principal: ItemPrincipal,
): Promise<void> {
  const { terms, index } = await searchedTerms(deps, config)
  const building = await findTermBuildProgress(deps.db, terms.termsId)
  if (building) throw indexBuilding(index, seesEveryItem(principal, config.list.id) ? building : null)
}
