import type { Queries } from '#shared/data/database.ts'
import { findBuildProgress } from '#shared/data/index-builds/builds.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { AppError } from '#shared/errors.ts'

/** When a client should try again. */
const retryAfterSeconds = 5

/**
 * Throws unless the values of all stored items are in the index (contract 2.3). The error tells how many of them are.
 * @throws INDEX_BUILDING, INDEX_BUILD_FAILED
 */
export async function assertBuilt(db: Queries, { pathName, valuesId, buildStatus }: ListIndex): Promise<void> {
  if (buildStatus === 'ready') return
  if (buildStatus === 'failed') throw new AppError('INDEX_BUILD_FAILED', { details: { index: pathName } })
  const details = { index: pathName, ...(await findBuildProgress(db, valuesId)) }
  throw new AppError('INDEX_BUILDING', { details, retryAfterSeconds })
}
