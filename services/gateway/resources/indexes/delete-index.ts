import type { IndexDeps } from './context.ts'
import { getVisibleIndex, type IndexRequest } from './load-index.ts'
import { modifyIndex } from './modify-index.ts'

/**
 * Deletes an index; its values are purged in the background.
 * @throws what `modifyIndex` throws
 */
export async function deleteIndex(deps: IndexDeps, request: Omit<IndexRequest, 'action'>): Promise<void> {
  const deleting = { ...request, action: 'delete' } as const
  await modifyIndex(deps, deleting, (current) => ({ before: getVisibleIndex(current, deleting), after: null }))
}
