import { withBuild } from '#shared/domain/list/index-build.ts'
import type { IndexBody, ListIndex } from '#shared/domain/list/index-fields.ts'
import { assertFits, assertRoom, newIndex } from '#shared/domain/list/index-settings.ts'
import { authorize } from '../../auth/authorize.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { IndexDeps } from './context.ts'
import type { IndexedList } from './load-index.ts'
import { type ModifiedIndex, modifyIndex } from './modify-index.ts'

export type IndexCreation = { principal: AuthenticatedPrincipal; list: string; fields: IndexBody }

/**
 * Creates an index; over stored items it is built in the background (contract 2.3).
 * @throws what `modifyIndex` and `plannedIndex` throw
 */
export function createIndex(deps: IndexDeps, { principal, list, fields }: IndexCreation): Promise<ModifiedIndex> {
  return modifyIndex(deps, { principal, list, action: 'create' }, (current) => {
    const index = plannedIndex(deps, current, { principal, fields })
    return { before: null, after: withBuild(null, index, { items: current.list.itemCount, newId: deps.newId }) }
  })
}

/**
 * The index that a request would create.
 * @throws TOKEN_NOT_AUTHORIZED, REQUESTED_ENTITY_NOT_FOUND, what `assertFits` throws, MAX_INDEXES_EXCEEDED
 */
export function plannedIndex(
  deps: Pick<IndexDeps, 'now' | 'newId'>,
  { list, indexes }: IndexedList,
  { principal, fields }: Omit<IndexCreation, 'list'>,
): ListIndex {
  const { id: listId, accountId } = list
  authorize(principal, { action: 'create', resourceType: 'index', listId })
  const index = newIndex(fields, { id: deps.newId(), accountId, listId, at: deps.now() })
  assertFits(index, indexes)
  assertRoom(indexes, principal.limits)
  return index
}
