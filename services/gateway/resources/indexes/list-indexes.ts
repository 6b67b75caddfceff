import type { IndexOrder } from '#shared/data/lists/columns.ts'
import { pageOf } from '#shared/data/pages/in-memory-page.ts'
import type { Page, PageRequest } from '#shared/data/pages/page.ts'
import { type FiltersOf, matcher } from '#shared/domain/fields/filters.ts'
import { indexFields, type ListIndex } from '#shared/domain/list/index-fields.ts'
import { AppError } from '#shared/errors.ts'
import { isAllowed } from '../../auth/authorize.ts'
import { notFoundOrForbidden } from '../../auth/not-found.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { IndexDeps } from './context.ts'
import { type IndexedList, loadIndexes } from './load-index.ts'

export type IndexListing = {
  principal: AuthenticatedPrincipal
  list: string
  filters: FiltersOf<typeof indexFields>
  request: PageRequest & { order: IndexOrder }
}

/**
 * One page of the indexes of a list that the principal may view. Reads all indexes, at most `maxIndexesPerList`.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, VALIDATION_FAILED
 */
export async function listIndexes(deps: IndexDeps, listing: IndexListing): Promise<Page<ListIndex>> {
  const { principal, list, filters, request } = listing
  const current = await loadIndexes(deps, { principal, list, action: 'view' })
  const found = visibleIndexes(current, principal).filter(matcher(indexFields, filters))
  const page = { ...request, filters: JSON.stringify([current.list.id, request.filters]) }
  return pageOf(found, page)
}

/**
 * If the rules let the principal view no index, the list does not exist for it, unless it may view the list itself.
 * @throws TOKEN_NOT_AUTHORIZED, REQUESTED_ENTITY_NOT_FOUND
 */
function visibleIndexes({ list, indexes }: IndexedList, principal: AuthenticatedPrincipal): ListIndex[] {
  const view = { action: 'view', listId: list.id } as const
  const visible = indexes.filter(
    ({ id, activated }) =>
      (principal.mode === 'user' || activated) && isAllowed(principal, { ...view, resourceType: 'index', indexId: id }),
  )
  if (visible.length > 0 || isAllowed(principal, { ...view, resourceType: 'index' })) return visible
  if (isAllowed(principal, { ...view, resourceType: 'list' })) throw new AppError('TOKEN_NOT_AUTHORIZED')
  throw notFoundOrForbidden(principal, 'view', 'index')
}
