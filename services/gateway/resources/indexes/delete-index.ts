import type { IndexDeps } from './context.ts'
import { getVisibleIndex, type IndexRequest } from './load-index.ts'
import { modifyIndex } from './modify-index.ts'

/**
 * Deletes an index, but in a dry run; its values are purged in the background.
 * @returns the warnings about who depends on it
 * @throws what `modifyIndex` throws
 */
export async function deleteIndex(
  deps: IndexDeps,
  request: Omit<IndexRequest, 'action'> & { dryRun: boolean },
): Promise<string[]> {
  const deleting = { ...request, action: 'delete' } as const
  const { warnings } = await modifyIndex(deps, deleting, (current) => ({
    before: getVisibleIndex(current, deleting),
    after: null,
  }))
  return warnings
}
