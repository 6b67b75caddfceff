import type { List } from '../list/fields.ts'
import type { ListIndex } from '../list/index-fields.ts'
import { type Change, type ChangeError, changeError, revealing } from './change.ts'
import type { ListEntry } from './document/document.ts'
import { byPathName, type CurrentList, type SyncContext } from './state.ts'

/** The plan for a list that its scope manages and the document no longer declares. */
export type ListDeletion = { change: Change; current: List }

/** The same for an index of a declared list. */
export type IndexDeletion = { change: Change; current: ListIndex }

/**
 * The indexes of a declared list that a sync with `prune` deletes: an entry without `indexes` keeps all of them. Sorted, because equal
 * plans must have equal text.
 */
export function undeclaredIndexes(
  entry: ListEntry,
  existing: readonly ListIndex[],
  { scope, prune }: SyncContext,
): ListIndex[] {
  if (!prune || entry.indexes === null) return []
  const declared = new Set(entry.indexes.map(({ pathName }) => pathName))
  return byPathName(existing.filter((index) => index.scope === scope && !declared.has(index.pathName)))
}

/** @param list.locked the list is read-only, and stays so with the document */
export function planIndexDeletion(index: ListIndex, list: { pathName: string; locked: boolean }): IndexDeletion {
  const subject = { list: list.pathName, index: index.pathName, listId: index.listId, indexId: index.id }
  const change = deletion({ resourceType: 'index', ...subject }, list.locked ? [changeError('LIST_READONLY')] : [], {
    delete: { destructive: index.guard },
    ...(index.guard && { warnings: [revealing] }),
  })
  return { change, current: index }
}

/** A list is deleted with its indexes and items in one change. */
export function planListDeletion({ list, indexes }: CurrentList): ListDeletion {
  const { id: listId, pathName, itemCount: items } = list
  const errors = [
    ...(list.readonly ? [changeError('LIST_READONLY')] : []),
    ...(list.protected && items > 0 ? [changeError('LIST_PROTECTED')] : []),
  ]
  const change = deletion({ resourceType: 'list', list: pathName, listId }, errors, {
    delete: { items, indexes: indexes.length, destructive: items > 0 },
  })
  return { change, current: list }
}

function deletion(
  subject: Omit<Change, 'action'>,
  errors: ChangeError[],
  content: Pick<Change, 'delete' | 'warnings'>,
): Change {
  return errors.length > 0 ? { ...subject, action: 'error', errors } : { ...subject, action: 'delete', ...content }
}
