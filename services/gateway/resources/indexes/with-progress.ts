import { findBuildProgress } from '#shared/data/index-builds/builds.ts'
import { type ListIndex, serializeListIndex } from '#shared/domain/list/index-fields.ts'
import { seesEveryItem } from '../../auth/visibility.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import { count, objectOf } from '../../schemas/response-schemas.ts'
import type { IndexDeps } from './context.ts'

/** The property `progress` of an index that is being built. */
export const progressSchema = {
  ...objectOf({
    done: { ...count, description: 'The number of items whose values are in the index.' },
    total: { ...count, description: 'The number of items that the list had when the build began.' },
  }),
  description: 'The progress of the build; only while the index is being built, and for callers who see every item.',
}

/**
 * Returns a function that serializes these indexes as JSON text, with the progress of those that are being built. The progress counts
 * items, so only a principal that sees every item gets it.
 */
export async function serializerWithProgress(
  { db }: Pick<IndexDeps, 'db'>,
  principal: AuthenticatedPrincipal,
  indexes: readonly ListIndex[],
): Promise<(index: ListIndex) => string> {
  const found = new Map<string, string>()
  for (const { valuesId, listId, buildStatus } of indexes) {
    if (buildStatus !== 'building' || !seesEveryItem(principal, listId)) continue
    const progress = await findBuildProgress(db, valuesId)
    if (progress) found.set(valuesId, `,"progress":${JSON.stringify(progress)}`)
  }
  return (index) => {
    const text = serializeListIndex(index)
    return `${text.slice(0, -1)}${found.get(index.valuesId) ?? ''}}`
  }
}
