import { AppError, validationFailed } from '../../errors.ts'
import { maxTags } from '../limits.ts'
import { foldTags } from '../tags.ts'
import type { List } from './list.ts'
import { pathNameFrom } from './path-name.ts'
import { ownTags, withScopeTag } from './scope.ts'

/** The fields of a list that a request may set (contract 2.1); `schema` is source text. */
export type ListFields = Partial<
  Pick<
    List,
    | 'name' | 'description' | 'tags' | 'pathName' | 'schema' | 'pinned' | 'readonly' | 'realtime' | 'protected'
    | 'indexable' | 'generative' | 'generativePrompt' | 'activated'
  >
> // biome-ignore format: a list of names

/**
 * A new list with the defaults of contract 2.1. Without a path name it gets one made from its name or, where that is not
 * possible, from its id; without a name it is named like its path name.
 * @param at epoch milliseconds
 */
export function newList(
  fields: ListFields,
  { id, accountId, at }: { id: string; accountId: string; at: number },
): List {
  const pathName = fields.pathName ?? pathNameFrom(fields.name ?? '') ?? `list-${id}`
  return {
    ...{ id, accountId, createdAt: at, updatedAt: at },
    ...{ name: pathName, description: '', schema: null, scope: null, pinned: false, readonly: false, realtime: false },
    ...{ protected: false, indexable: true, generative: false, generativePrompt: null, activated: true },
    ...fields,
    ...{ pathName, tags: foldTags(fields.tags ?? []), itemCount: 0, deactivatedCount: 0, configVersion: 1 },
  }
}

/**
 * A list after a change. The tag of the scope that manages it cannot be removed, and comes in addition to its own tags.
 * @param now epoch milliseconds; a change is later than the one before, even when the clock is set back
 * @throws LIST_READONLY unless the change makes it writable, VALIDATION_FAILED for too many tags
 */
export function changedList(before: List, fields: ListFields, now: number): List {
  if (before.readonly && fields.readonly !== false) throw new AppError('LIST_READONLY')
  const own = ownTags(foldTags(fields.tags ?? before.tags), before.scope)
  if (own.length > maxTags) throw validationFailed([{ path: 'tags', message: `must hold at most ${maxTags} tags` }])
  const updatedAt = Math.max(now, before.updatedAt + 1)
  return { ...before, ...fields, tags: withScopeTag(own, before.scope), updatedAt }
}
