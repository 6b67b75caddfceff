import { withBuild } from '#shared/domain/list/index-build.ts'
import type { IndexBody } from '#shared/domain/list/index-fields.ts'
import { assertAliasPossible, assertFits, changedIndex } from '#shared/domain/list/index-settings.ts'
import type { IndexDeps } from './context.ts'
import { getVisibleIndex, type IndexRequest } from './load-index.ts'
import { type ModifiedIndex, modifyIndex } from './modify-index.ts'

/**
 * Changes the fields in the body. Another pointer or value type, or turning on `alias` or `searching`, builds the index again
 * (contract 2.3).
 * @throws what `modifyIndex` and `assertFits` throw, VALIDATION_FAILED
 */
export function updateIndex(
  deps: IndexDeps,
  { fields, ...request }: Omit<IndexRequest, 'action'> & { fields: IndexBody },
): Promise<ModifiedIndex> {
  const updating = { ...request, action: 'update' } as const
  return modifyIndex(deps, updating, (current) => {
    const before = getVisibleIndex(current, updating)
    const changed = changedIndex(before, fields, deps.now())
    assertAliasPossible(before, changed)
    assertFits(
      changed,
      current.indexes.filter((index) => index !== before),
    )
    return { before, after: withBuild(before, changed, { items: current.list.itemCount, newId: deps.newId }) }
  })
}
