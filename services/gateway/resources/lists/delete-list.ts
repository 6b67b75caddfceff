import { removeList } from '#shared/data/lists/list-changes.ts'
import { listLosses } from '#shared/domain/use/losses.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { ListDeps } from './context.ts'
import { listEvent } from './list-event.ts'
import { modifyList } from './modify-list.ts'

/**
 * Deletes a list, except in a dry run. When this returns, the list is no longer found and its path name can be used again. Its contents
 * are purged in the background (`list-purge.ts`), without item events.
 * @returns the warnings about its dependents
 * @throws the errors of `modifyList`, LIST_READONLY, LIST_PROTECTED
 */
export async function deleteList(
  deps: ListDeps,
  request: { principal: AuthenticatedPrincipal; list: string; dryRun: boolean },
): Promise<string[]> {
  const { principal } = request
  const { warnings } = await modifyList(deps, { ...request, action: 'delete' }, (before) => {
    if (before.readonly) throw new AppError('LIST_READONLY')
    if (before.protected && before.itemCount > 0) throw new AppError('LIST_PROTECTED')
    const event = listEvent('list-deleted', before, { id: deps.newId(), actor: principal.actor, at: deps.now() })
    const losses = listLosses(before, null)
    return { list: before, losses, event, write: async (tx) => removeList(tx, before, await tx.now()) }
  })
  return warnings
}
