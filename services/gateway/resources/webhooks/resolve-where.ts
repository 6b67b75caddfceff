import { findListsNamed, readIndexesOf } from '#shared/data/lists/lists.ts'
import { maxWebhookFilters } from '#shared/domain/limits.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { pathNameKey } from '#shared/domain/list/path-name.ts'
import { filterError, type SavedFilter, type SavedWhere, type Where } from '#shared/domain/webhook/where.ts'
import { errorPath, type FieldError, validationFailed } from '#shared/errors.ts'
import type { WebhookDeps } from './context.ts'

/**
 * The filters of a webhook with what their indexes are now, by the ids of lists.
 * @param options.where by path names, or ids of lists
 * @param options.saved what the webhook has: the filters on a list that has been deleted can only stay as they are
 * @throws VALIDATION_FAILED that names every list, index and filter that is wrong
 */
export async function resolveWhere(
  { db }: Pick<WebhookDeps, 'db'>,
  { accountId, where, saved = {} }: { accountId: string; where: Where; saved?: SavedWhere },
): Promise<SavedWhere> {
  const lists = await findListsNamed(db, { accountId, refs: Object.keys(where) })
  const ids = [...lists.values()].map(({ id }) => id)
  const indexes = Map.groupBy(await readIndexesOf(db, { accountId, listIds: ids }), ({ listId }) => listId)
  const resolved = new Map<string, readonly SavedFilter[]>()
  const errors: FieldError[] = []
  for (const [ref, filters] of Object.entries(where)) {
    const path = errorPath('where', ref)
    const id = lists.get(ref)?.id ?? ref
    const kept = lists.has(ref) ? null : keptFilters(saved[id], filters)
    if (!lists.has(ref) && kept === null) errors.push({ path, message: 'is not a list of this account' })
    else if (resolved.has(id)) errors.push({ path, message: 'is a list that is named twice' })
    else resolved.set(id, kept ?? resolveFilters(filters, { indexes: indexes.get(id) ?? [], path, errors }))
  }
  if ([...resolved.values()].flat().length > maxWebhookFilters) {
    errors.push({ path: 'where', message: `must have at most ${maxWebhookFilters} filters` })
  }
  if (errors.length > 0) throw validationFailed(errors)
  return Object.fromEntries(resolved)
}

/** The saved filters, if they are exactly these. */
function keptFilters(saved: readonly SavedFilter[] | undefined, filters: Where[string]): readonly SavedFilter[] | null {
  const isSame = saved?.length === Object.keys(filters).length
  return isSame && saved.every(({ index, source }) => filters[index] === source) ? saved : null
}

/** Adds what is wrong to `errors`. */
function resolveFilters(
  filters: Where[string],
  { indexes, path, errors }: { indexes: readonly ListIndex[]; path: string; errors: FieldError[] },
): SavedFilter[] {
  const resolved = new Map<string, SavedFilter>()
  for (const [name, source] of Object.entries(filters)) {
    const index = indexes.find(({ pathName }) => pathNameKey(pathName) === pathNameKey(name))
    const message = index ? indexError(index, resolved) : 'is not an index of the list'
    const wrong = message ?? (index ? filterError(index, source) : null)
    if (wrong !== null) errors.push({ path: errorPath(path, name), message: wrong })
    else if (index) resolved.set(index.pathName, savedFilter(index, source))
  }
  return [...resolved.values()]
}

function indexError({ pathName, guard }: ListIndex, resolved: ReadonlyMap<string, SavedFilter>): string | null {
  if (guard) return 'is an index that guards its values, so nothing is filtered by it'
  return resolved.has(pathName) ? 'is an index that is named twice' : null
}

function savedFilter({ pathName, pointer, valueType, alias }: ListIndex, source: string): SavedFilter {
  return { index: pathName, pointer, valueType, alias, source }
}
