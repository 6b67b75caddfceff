import { isDeepStrictEqual } from 'node:util'
import { findListsNamed, readIndexesOf } from '#shared/data/lists/lists.ts'
import { readKeyFilter } from '#shared/domain/item/questions/key-filter.ts'
import { type LeafReader, readConditions } from '#shared/domain/item/questions/where.ts'
import { conditionText, kindOfIndex, readFieldLeaf } from '#shared/domain/item/questions/where-leaf.ts'
import { maxWebhookFilterLength, maxWebhookFilters } from '#shared/domain/limits.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { indexNamed } from '#shared/domain/list/index-names.ts'
import { indexNotUsable } from '#shared/domain/list/index-not-usable.ts'
import { didYouMean, maxHints } from '#shared/domain/text/nearest.ts'
import {
  type Conditions,
  comparedFields,
  countFilters,
  filtersIn,
  isComparedField,
  type SavedCondition,
  type SavedConditions,
  type SavedFilter,
  type SavedWhere,
  shownConditions,
  type Where,
} from '#shared/domain/webhook/where.ts'
import { AppError, errorPath, type FieldError, validationFailed } from '#shared/errors.ts'
import type { WebhookDeps } from './context.ts'

/**
 * The conditions of a webhook by list id, each with the current definition of its index.
 * @param options.where the conditions by the path names or ids of lists
 * @param options.saved the saved conditions of the webhook: those on a list that has been deleted can only stay as they are, and a
 * filter on an index that can no longer filter stays as it was saved
 * @throws VALIDATION_FAILED that names every list, index and filter that is wrong; INDEX_NOT_USABLE
 */
export async function resolveWhere(
  { db }: Pick<WebhookDeps, 'db'>,
  { accountId, where, saved = {} }: { accountId: string; where: Where; saved?: SavedWhere },
): Promise<SavedWhere> {
  const lists = await findListsNamed(db, { accountId, refs: Object.keys(where) })
  const ids = [...lists.values()].map(({ id }) => id)
  const indexes = Map.groupBy(await readIndexesOf(db, { accountId, listIds: ids }), ({ listId }) => listId)
  const resolved = new Map<string, SavedConditions>()
  const errors: FieldError[] = []
  const resolving = { errors, unusable: [], unknown: { count: 0 } } satisfies Partial<Resolving>
  for (const [ref, conditions] of Object.entries(where)) {
    const path = errorPath('where', ref)
    const id = lists.get(ref)?.id ?? ref
    const kept = lists.has(ref) ? null : keptConditions(saved[id], conditions)
    if (!lists.has(ref) && kept === null) errors.push({ path, message: 'is not a list of this account' })
    else if (resolved.has(id)) errors.push({ path, message: 'is a list that is named twice' })
    else {
      const list = { indexes: indexes.get(id) ?? [], saved: filtersIn(saved[id] ?? []), path }
      resolved.set(id, kept ?? resolveConditions(conditions, { ...resolving, ...list }))
    }
  }
  if ([...resolved.values()].reduce((sum, conditions) => sum + countFilters(conditions), 0) > maxWebhookFilters) {
    errors.push({ path: 'where', message: `must have at most ${maxWebhookFilters} filters` })
  }
  if (errors.length > 0) throw validationFailed(errors)
  const [unusable] = resolving.unusable
  if (unusable) throw unusable
  return Object.fromEntries(resolved)
}

/** The saved conditions if they equal `conditions`, otherwise null. */
function keptConditions(saved: SavedConditions | undefined, conditions: Conditions): SavedConditions | null {
  return saved && isDeepStrictEqual(shownConditions(saved), { ...conditions }) ? saved : null
}

/** `saved`: the filters that the webhook already has on the list; `unknown`: how many conditions name no index. */
type Resolving = {
  indexes: readonly ListIndex[]
  saved: ReturnType<typeof filtersIn>
  path: string
  errors: FieldError[]
  unusable: AppError[]
  unknown: { count: number }
}

/** The saved form of the conditions on one list; adds their errors to `errors` and `unusable`. */
function resolveConditions(conditions: Conditions, resolving: Resolving): SavedConditions {
  const read = readConditions(conditions, resolving.path, leafReader(resolving))
  if ('question' in read) return savedConditions(conditions, resolving)
  resolving.errors.push(...read.errors)
  return []
}

/** Returns a reader for a condition on a field or on an index, with the same forms as in `where` of pages of items. */
function leafReader(resolving: Resolving): LeafReader {
  const { indexes, unknown } = resolving
  return (name, source) => {
    if (isComparedField(name)) return textProblem(String(source)) ?? readFieldLeaf(name, source)
    const index = indexNamed(indexes, name)
    if (!index) {
      const hint = unknown.count++ < maxHints ? didYouMean(name, usableNames(indexes)) : ''
      return { error: `is neither an index of the list nor one of ${comparedFields.join(', ')}${hint}` }
    }
    if (index.guard) return { error: 'is a guard index, which cannot filter events' }
    const text = conditionText(kindOfIndex(index.valueType), source)
    if (typeof text !== 'string') return text
    const problem = textProblem(text)
    if (problem) return problem
    addUnusable(resolving, index, text)
    const filter = readKeyFilter(index.valueType, text)
    return 'error' in filter ? filter : { kind: 'value', indexId: index.pathName, ...filter }
  }
}

function textProblem(text: string): { error: string } | null {
  if (text.length > maxWebhookFilterLength)
    return { error: `must be at most ${maxWebhookFilterLength} characters long` }
  return text.includes('\u0000') || !text.isWellFormed()
    ? { error: 'must not contain U+0000 or half of a surrogate pair' }
    : null
}

/** Adds the error that pages report for an index that cannot filter, unless this filter is already saved. */
function addUnusable({ saved, path, unusable }: Resolving, index: ListIndex, source: string): void {
  // The error's hint about the parameter `alias` is for pages only.
  const error = indexNotUsable({ ...index, alias: false }, 'filtering')
  if (error === null || savedFilter(saved, index, source)) return
  const { name, details } = error
  const message = `${errorPath(path, index.pathName)}: ${error.message}`
  unusable.push(new AppError(name, { message, ...(details && { details }) }))
}

function savedFilter(saved: Resolving['saved'], { pathName }: ListIndex, source: string): SavedFilter | undefined {
  return saved.find((one): one is SavedFilter => 'index' in one && one.index === pathName && one.source === source)
}

function usableNames(indexes: readonly ListIndex[]): string[] {
  const usable = indexes.filter(({ guard, activated }) => activated && !guard)
  return [...usable.map(({ pathName }) => pathName), ...comparedFields]
}

/** The saved form of conditions that were read without errors. */
function savedConditions(conditions: Conditions, { path, ...resolving }: Resolving): SavedConditions {
  const named = new Set<ListIndex>()
  return Object.entries(conditions).flatMap(([name, value]): SavedCondition[] => {
    const at = errorPath(path, name)
    const branches = (all: unknown) =>
      (all as Conditions[]).map((one, n) => savedConditions(one, { ...resolving, path: `${at}.${n}` }))
    if (name === 'or') return [{ or: branches(value) }]
    if (name === 'and') return [{ and: branches(value) }]
    if (name === 'not') return [{ not: savedConditions(value as Conditions, { ...resolving, path: at }) }]
    const sources = [value].flat() as (string | number | boolean | null)[]
    if (isComparedField(name)) return sources.map((source) => ({ field: name, source: String(source) }))
    const index = indexNamed(resolving.indexes, name)
    if (!index) return []
    if (named.has(index)) resolving.errors.push({ path: at, message: 'is an index that is named twice' })
    named.add(index)
    const { pathName, pointer, valueType, alias } = index
    const isUsable = indexNotUsable(index, 'filtering') === null
    return sources.map((one) => {
      const source = String(conditionText(kindOfIndex(valueType), one))
      const kept = isUsable ? undefined : savedFilter(resolving.saved, index, source)
      return kept ?? { index: pathName, pointer, valueType, alias, source }
    })
  })
}
