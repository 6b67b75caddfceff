import { assertRoomInAccount } from '#shared/data/accounts/account-limits.ts'
import { isUniqueViolation } from '#shared/data/database-errors.ts'
import { commitListChange } from '#shared/data/lists/commit-change.ts'
import { insertList } from '#shared/data/lists/list-changes.ts'
import type { List, ListBody } from '#shared/domain/list/fields.ts'
import { newList } from '#shared/domain/list/settings.ts'
import { AppError } from '#shared/errors.ts'
import { isAllowed } from '../../auth/authorize.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { ListDeps } from './context.ts'
import { listEvent } from './list-event.ts'

/**
 * Creates a list (contract 2.1).
 * @throws TOKEN_NOT_AUTHORIZED, MAX_LISTS_EXCEEDED, LIST_PATH_NAME_TAKEN
 */
export async function createList(
  deps: ListDeps,
  { principal, fields }: { principal: AuthenticatedPrincipal; fields: ListBody },
): Promise<List> {
  // A rule that names lists cannot name one that does not exist yet.
  if (!isAllowed(principal, { action: 'create', resourceType: 'list' })) throw new AppError('TOKEN_NOT_AUTHORIZED')
  const { accountId, actor, limits } = principal
  const at = deps.now()
  const list = newList(fields, { id: deps.newId(), accountId, at })
  const event = listEvent('list-created', list, { id: deps.newId(), actor, at })
  try {
    await commitListChange(deps, event, async (tx) => {
      await assertRoomInAccount(tx, { accountId, limit: 'maxLists', added: 1, max: limits?.maxLists ?? null })
      await insertList(tx, list)
    })
  } catch (error) {
    throw isUniqueViolation(error) ? new AppError('LIST_PATH_NAME_TAKEN') : error
  }
  return list
}
