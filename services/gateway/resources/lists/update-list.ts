import { updateList as writeList } from '#shared/data/lists/list-changes.ts'
import { readIndexes } from '#shared/data/lists/lists.ts'
import type { List } from '#shared/domain/list/list.ts'
import { changedList, type ListFields } from '#shared/domain/list/settings.ts'
import { AppError } from '#shared/errors.ts'
import { isAllowed } from '../../auth/authorize.ts'
import type { Deps } from '../../context.ts'
import type { AuthenticatedPrincipal, TokenPrincipal } from '../../request/principal.ts'
import { listEvent } from './list-event.ts'
import { modifyList } from './modify-list.ts'

/**
 * Changes the fields that are given (contract 2.1). A new schema validates later writes, not the items that are stored.
 * @throws what `modifyList` throws, TOKEN_NOT_AUTHORIZED, LIST_READONLY, VALIDATION_FAILED
 */
export function updateList(
  deps: Deps,
  { principal, list, fields }: { principal: AuthenticatedPrincipal; list: string; fields: ListFields },
): Promise<List> {
  return modifyList(deps, { principal, list, action: 'update' }, async (before) => {
    if (fields.schema !== undefined && principal.mode === 'token') await assertGuardPermission(deps, before, principal)
    const after = changedList(before, fields, deps.now())
    const event = listEvent('list-updated', after, { id: deps.newId(), actor: principal.actor, at: after.updatedAt })
    return { list: after, event, write: (tx) => writeList(tx, after) }
  })
}

/**
 * A schema validates also what is cut from what tokens see, and whether it matches would tell of it: where a list has guard
 * indexes, only who may change those sets its schema (contract 2.2). They are of the list's version or a later one, which
 * the write would not pass.
 */
async function assertGuardPermission(deps: Deps, { id, accountId }: List, principal: TokenPrincipal): Promise<void> {
  const indexes = await readIndexes(deps.db, accountId, id)
  if (!indexes.some(({ guard }) => guard)) return
  if (isAllowed(principal, { action: 'update', resourceType: 'index', listId: id })) return
  const message = 'The schema of a list with guard indexes can be set only with the permission to update its indexes.'
  throw new AppError('TOKEN_NOT_AUTHORIZED', { message })
}
