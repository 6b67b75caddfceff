import { removeList } from '#shared/data/lists/list-changes.ts'
import { AppError } from '#shared/errors.ts'
import type { Deps } from '../../context.ts'
import type { KnownCaller } from '../../request/principal.ts'
import { listEvent } from './list-event.ts'
import { changeList } from './modify-list.ts'

/**
 * Deletes a list: when this returns nobody finds it any more, and its path name is free. What it held is purged in the
 * background (`list-purge.ts`) and no item events are sent.
 * @throws what `changeList` throws, LIST_READONLY, LIST_PROTECTED
 */
export async function deleteList(deps: Deps, { caller, list }: { caller: KnownCaller; list: string }): Promise<void> {
  await changeList(deps, { caller, list, action: 'delete' }, (before) => {
    if (before.readonly) throw new AppError('LIST_READONLY')
    if (before.protected && before.itemCount > 0) throw new AppError('LIST_PROTECTED')
    const event = listEvent('list-deleted', before, { id: deps.newId(), actor: caller.actor, at: deps.now() })
    return { list: before, event, write: async (tx) => removeList(tx, before, await tx.now()) }
  })
}
