import { updateList as writeList } from '#shared/data/lists/list-changes.ts'
import { readIndexes } from '#shared/data/lists/lists.ts'
import type { List, ListBody } from '#shared/domain/list/fields.ts'
import { changedList } from '#shared/domain/list/settings.ts'
import { listLosses } from '#shared/domain/use/losses.ts'
import { AppError } from '#shared/errors.ts'
import { isAllowed } from '../../auth/authorize.ts'
import type { AuthenticatedPrincipal, TokenPrincipal } from '../../request/principal.ts'
import type { ListDeps } from './context.ts'
import { listEvent } from './list-event.ts'
import { type ModifiedList, modifyList } from './modify-list.ts'

/**
 * Changes the fields in the body (contract 2.1). A new schema applies to later writes, not to stored items.
 * @throws the errors of `modifyList`, TOKEN_NOT_AUTHORIZED, LIST_READONLY, VALIDATION_FAILED
 */
export function updateList(
  deps: ListDeps,
  { principal, list, fields }: { principal: AuthenticatedPrincipal; list: string; fields: ListBody },
): Promise<ModifiedList> {
  return modifyList(deps, { principal, list, action: 'update' }, async (before) => {
    if (fields.schema !== undefined && principal.mode === 'token') await assertGuardPermission(deps, before, principal)
    const after = changedList(before, fields, deps.now())
    const event = listEvent('list-updated', after, {
      id: deps.newId(),
      actor: principal.actor,
      at: after.updatedAt,
      before,
    })
    return { list: after, losses: listLosses(before, after), event, write: (tx) => writeList(tx, after) }
  })
}

/**
 * A schema also validates guarded values, and whether they match would reveal them. So of a list with guard indexes, only a
 * token that may change indexes may set the schema (contract 2.2). The indexes that are read here belong to the list's
 * version, or to a later one: then the write fails.
 */
async function assertGuardPermission(
  deps: ListDeps,
  { id, accountId }: List,
  principal: TokenPrincipal,
): Promise<void> {
  const indexes = await readIndexes(deps.db, accountId, id)
  if (!indexes.some(({ guard }) => guard)) return
  if (isAllowed(principal, { action: 'update', resourceType: 'index', listId: id })) return
  const message = 'The schema of a list with guard indexes can be set only with the permission to update its indexes.'
  throw new AppError('TOKEN_NOT_AUTHORIZED', { message })
}
