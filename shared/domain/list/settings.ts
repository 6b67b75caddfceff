import { AppError, validationFailed } from '../../errors.ts'
import { initialValues } from '../fields/values.ts'
import { laterThan } from '../later-than.ts'
import { maxTags } from '../limits.ts'
import { pathNameFrom } from '../path-name.ts'
import { foldTags } from '../tags.ts'
import { type List, type ListBody, listFields } from './fields.ts'
import { ownTags, withScopeTag } from './scope.ts'

/**
 * A new list. Without a path name it gets one derived from its name, or from its id if that is not possible. Without a name it is named
 * like its path name.
 * @param at epoch milliseconds
 */
export function newList(body: ListBody, { id, accountId, at }: { id: string; accountId: string; at: number }): List {
  const pathName = body.pathName ?? pathNameFrom(body.name ?? '') ?? `list-${id}`
  const own = { id, accountId, createdAt: at, updatedAt: at }
  return { ...initialValues(listFields), name: pathName, ...body, ...own, pathName, tags: foldTags(body.tags ?? []) }
}

/**
 * A list after a change. The tag of the scope that manages it cannot be removed, and is added to its own tags.
 * @param now epoch milliseconds; a change is later than the one before, even when the clock is set back
 * @throws LIST_READONLY unless the change makes it writable, VALIDATION_FAILED for too many tags
 */
export function changedList(before: List, body: ListBody, now: number): List {
  if (before.readonly && body.readonly !== false) throw new AppError('LIST_READONLY')
  const own = ownTags(foldTags(body.tags ?? before.tags), before.scope)
  if (own.length > maxTags) throw validationFailed([{ path: 'tags', message: `must have at most ${maxTags} tags` }])
  const updatedAt = laterThan(before, now)
  return { ...before, ...body, tags: withScopeTag(own, before.scope), updatedAt }
}
