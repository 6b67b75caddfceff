import { rebuilt } from '#shared/domain/list/index-build.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { changedIndex } from '#shared/domain/list/index-settings.ts'
import { AppError } from '#shared/errors.ts'
import type { IndexDeps } from './context.ts'
import { getVisibleIndex, type IndexRequest } from './load-index.ts'
import { modifyIndex } from './modify-index.ts'

/**
 * Builds an index again after its build has failed (contract 2.3).
 * @throws what `modifyIndex` throws, INDEX_BUILD_NOT_FAILED
 */
export async function rebuildIndex(deps: IndexDeps, request: Omit<IndexRequest, 'action'>): Promise<ListIndex> {
  const updating = { ...request, action: 'update' } as const
  const { index } = await modifyIndex(deps, updating, (current) => {
    const before = getVisibleIndex(current, updating)
    if (before.buildStatus !== 'failed') throw new AppError('INDEX_BUILD_NOT_FAILED')
    const after = rebuilt(changedIndex(before, {}, deps.now()), { items: current.list.itemCount, newId: deps.newId })
    return { before, after }
  })
  return index
}
