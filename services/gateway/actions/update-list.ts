import { updateList as writeList } from '#shared/data/lists/list-changes.ts'
import type { List } from '#shared/domain/list/list.ts'
import { changedList, type ListFields } from '#shared/domain/list/settings.ts'
import type { KnownCaller } from '../auth/caller.ts'
import type { Deps } from '../deps.ts'
import { changeList } from './change-list.ts'
import { listEvent } from './list-event.ts'

/**
 * Changes the fields that are given (contract 2.1). A new schema judges later writes, not the items that are stored.
 * @throws what `changeList` throws, LIST_READONLY, VALIDATION_FAILED
 */
export function updateList(
  deps: Deps,
  { caller, list, fields }: { caller: KnownCaller; list: string; fields: ListFields },
): Promise<List> {
  return changeList(deps, { caller, list, action: 'update' }, (before) => {
    const after = changedList(before, fields, deps.now())
    const event = listEvent('list-updated', after, { id: deps.newId(), actor: caller.actor, at: after.updatedAt })
    return { list: after, event, write: (tx) => writeList(tx, after) }
  })
}
