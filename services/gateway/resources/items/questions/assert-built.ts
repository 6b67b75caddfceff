import { seesEveryItem } from '#services/gateway/auth/visibility.ts'
import type { ItemPrincipal } from '#services/gateway/request/principal.ts'
import type { Queries } from '#shared/data/database.ts'
import { findBuildProgress } from '#shared/data/index-builds/builds.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { AppError } from '#shared/errors.ts'

/** When a client should try again. */
const retryAfterSeconds = 5

/**
 * Throws unless the values of all stored items are in the index (contract 2.3). The error tells a principal that sees every item
 * how many of them are.
 * @throws INDEX_BUILDING, INDEX_BUILD_FAILED
 */
export async function assertBuilt(db: Queries, index: ListIndex, principal: ItemPrincipal): Promise<void> {
  const { listId, pathName, valuesId, buildStatus } = index
  if (buildStatus === 'ready') return
  if (buildStatus === 'failed') throw new AppError('INDEX_BUILD_FAILED', { details: { index: pathName } })
  throw indexBuilding(index, seesEveryItem(principal, listId) ? await findBuildProgress(db, valuesId) : null)
}

/** @param progress null: for who may not know it */
export function indexBuilding(
  { pathName: index }: ListIndex,
  progress: { done: number; total: number } | null,
): AppError {
  return new AppError('INDEX_BUILDING', { details: { index, ...progress }, retryAfterSeconds })
}
