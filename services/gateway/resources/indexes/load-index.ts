import { readIndexes } from '#shared/data/lists/lists.ts'
import type { Action } from '#shared/domain/access/permission-rule.ts'
import type { List } from '#shared/domain/list/fields.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { findIndex } from '#shared/domain/list/index-settings.ts'
import { authorize } from '../../auth/authorize.ts'
import { notFoundOrForbidden } from '../../auth/not-found.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import { findVisibleList } from '../lists/load-list.ts'
import type { IndexDeps } from './context.ts'

/** The list of a request, and the action on one or all of its indexes. */
export type IndexesRequest = { principal: AuthenticatedPrincipal; list: string; action: Action }
export type IndexRequest = IndexesRequest & { index: string }

/** A list and all its indexes. */
export type IndexedList = { list: List; indexes: readonly ListIndex[] }

/**
 * The current list with its indexes. The indexes may belong to a later version of the list; a change that was computed from
 * both is then not written.
 * @throws REQUESTED_ENTITY_NOT_FOUND or TOKEN_NOT_AUTHORIZED when there is no such list for this principal
 */
export async function loadIndexes(
  { db }: Pick<IndexDeps, 'db'>,
  { principal, list: ref, action }: IndexesRequest,
): Promise<IndexedList> {
  const list = await findVisibleList(db, principal, ref)
  if (!list) throw notFoundOrForbidden(principal, action, 'index')
  return { list, indexes: await readIndexes(db, list.accountId, list.id) }
}

/**
 * One of the indexes, by id or path name; one that is not activated is hidden from tokens.
 * @throws REQUESTED_ENTITY_NOT_FOUND or TOKEN_NOT_AUTHORIZED, as `authorize` decides
 */
export function getVisibleIndex({ list, indexes }: IndexedList, { principal, action, index }: IndexRequest): ListIndex {
  const found = findIndex(indexes, index)
  if (!found || (principal.mode === 'token' && !found.activated)) throw notFoundOrForbidden(principal, action, 'index')
  authorize(principal, { action, resourceType: 'index', listId: list.id, indexId: found.id })
  return found
}
