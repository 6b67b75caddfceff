import { seesEveryItem } from '#services/gateway/auth/visibility.ts'
import type { ItemPrincipal } from '#services/gateway/request/principal.ts'
import { Conflict } from '#shared/data/conflict.ts'
import type { Queries } from '#shared/data/database.ts'
import { findBuildProgress } from '#shared/data/index-builds/builds.ts'
import { findTermBuildProgress } from '#shared/data/index-builds/term-builds.ts'
import type { ItemSet } from '#shared/data/item-pages/item-set.ts'
import { repairTerms } from '#shared/data/lists/list-terms.ts'
import type { Terms } from '#shared/data/search/term-counts.ts'
import { leavesOf } from '#shared/domain/item/questions/question.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { isSearched, nothingSearched } from '#shared/domain/search/searched.ts'
import { AppError } from '#shared/errors.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import type { ItemDeps } from '../context.ts'

/** When a client should try again. */
const retryAfterSeconds = 5

/**
 * Throws unless the values of all stored items are in the index (contract 2.3). For a principal that sees every item, the error has the
 * progress of the build.
 * @throws INDEX_BUILDING, INDEX_BUILD_FAILED
 */
export async function assertBuilt(db: Queries, index: ListIndex, principal: ItemPrincipal): Promise<void> {
  const { listId, pathName, valuesId, buildStatus } = index
  if (buildStatus === 'ready') return
  if (buildStatus === 'failed') throw new AppError('INDEX_BUILD_FAILED', { details: { index: pathName } })
  throw indexBuilding(index, seesEveryItem(principal, listId) ? await findBuildProgress(db, valuesId) : null)
}

/**
 * The same for the indexes with which conditions of rules decide which items a principal sees.
 * @throws INDEX_BUILDING, INDEX_BUILD_FAILED
 */
export async function assertVisibilityBuilt(
  { db }: { db: Queries },
  { indexes }: Pick<ListConfig, 'indexes'>,
  { principal, set: { visible, drafts } }: { principal: ItemPrincipal; set: ItemSet },
): Promise<void> {
  const asked = [visible, drafts].flatMap((filter) => (filter?.kind === 'asked' ? [filter.question] : []))
  const used = new Set(leavesOf(asked).flatMap((leaf) => (leaf.kind === 'value' ? [leaf.indexId] : [])))
  for (const index of indexes) if (used.has(index.valuesId)) await assertBuilt(db, index, principal)
}

/**
 * Throws unless the words of all stored items are known. For a principal that sees every item, the error has the progress of the build.
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

/**
 * The key of the stored words of a list's items, and one of the indexes that they come from.
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

/** @param progress null: the principal may not know it */
export function indexBuilding(
  { pathName: index }: ListIndex,
  progress: { done: number; total: number } | null,
): AppError {
  return new AppError('INDEX_BUILDING', { details: { index, ...progress }, retryAfterSeconds })
}
