import { removeList } from '#shared/data/lists/list-changes.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { ListDeps } from './context.ts'
import { listEvent } from './list-event.ts'
import { modifyList } from './modify-list.ts'

/**
 * Deletes a list: when this returns, it is no longer found and its path name is free. Its contents are purged in the
 * background (`list-purge.ts`), without item events.
 * @throws what `modifyList` throws, LIST_READONLY, LIST_PROTECTED
 */
export async function deleteList(
  deps: ListDeps,
  { principal, list }: { principal: AuthenticatedPrincipal; list: string },
): Promise<void> {
  await modifyList(deps, { principal, list, action: 'delete' }, (before) => {
    if (before.readonly) throw new AppError('LIST_READONLY')
    if (before.protected && before.itemCount > 0) throw new AppError('LIST_PROTECTED')
    const event = listEvent('list-deleted', before, { id: deps.newId(), actor: principal.actor, at: deps.now() })
    return { list: before, event, write: async (tx) => removeList(tx, before, await tx.now()) }
  })
}
