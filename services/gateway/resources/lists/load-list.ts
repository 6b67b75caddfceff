import { findList } from '#shared/data/lists/lists.ts'
import type { Action } from '#shared/domain/access/permission-rule.ts'
import type { List } from '#shared/domain/list/fields.ts'
import { isPathName } from '#shared/domain/path-name.ts'
import { authorize } from '../../auth/authorize.ts'
import { notFoundOrForbidden } from '../../auth/not-found.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { ListDeps } from './context.ts'

/** The list of a request, and the action on it. */
export type ListRequest = { principal: AuthenticatedPrincipal; list: string; action: Action }

/** The current list by id or path name; null if there is none, or if it is not activated and so hidden from the token. */
export async function findVisibleList(
  db: ListDeps['db'],
  principal: AuthenticatedPrincipal,
  ref: string,
): Promise<List | null> {
  const list = isPathName(ref) ? await findList(db, principal.accountId, ref) : null
  return list && (principal.mode === 'user' || list.activated) ? list : null
}

/**
 * The same list, for an action on it.
 * @throws REQUESTED_ENTITY_NOT_FOUND or TOKEN_NOT_AUTHORIZED, as `authorize` decides
 */
export async function getVisibleList(deps: ListDeps, { principal, list: ref, action }: ListRequest): Promise<List> {
  const list = await findVisibleList(deps.db, principal, ref)
  if (!list) throw notFoundOrForbidden(principal, action, 'list')
  authorize(principal, { action, resourceType: 'list', listId: list.id })
  return list
}
