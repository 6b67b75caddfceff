import { AppError, validationFailed } from '../../errors.ts'
import { initialValues } from '../fields/values.ts'
import { laterThan } from '../later-than.ts'
import { maxIndexesPerList, maxTags } from '../limits.ts'
import { pathNameFrom, pathNameKey } from '../path-name.ts'
import { assertWithin } from '../plan/limit-exceeded.ts'
import type { PlanLimits } from '../plan/plan.ts'
import { foldTags } from '../tags.ts'
import { type IndexBody, indexFields, type ListIndex } from './index-fields.ts'
import { aliasViolation, violations } from './index-rules.ts'
import { ownTags, withScopeTag } from './scope.ts'

/**
 * A new index. Without a path name it gets one derived from its name, or from its id if that is not possible. Without a name it is named
 * like its path name.
 * @param own.at epoch milliseconds
 */
export function newIndex(
  body: IndexBody,
  { id, accountId, listId, at }: { id: string; accountId: string; listId: string; at: number },
): ListIndex {
  const pathName = pathNameKey(body.pathName ?? pathNameFrom(body.name ?? '') ?? `index-${id}`)
  const own = { id, accountId, listId, valuesId: id, createdAt: at, updatedAt: at }
  return { ...initialValues(indexFields), name: pathName, ...body, ...own, pathName, tags: foldTags(body.tags ?? []) }
}

/**
 * An index after a change. The tag of the scope that manages it cannot be removed, and is added to its own tags.
 * @param now epoch milliseconds; a change is later than the one before, even when the clock is set back
 * @throws VALIDATION_FAILED for too many tags
 */
export function changedIndex(before: ListIndex, body: IndexBody, now: number): ListIndex {
  const own = ownTags(foldTags(body.tags ?? before.tags), before.scope)
  if (own.length > maxTags) throw validationFailed([{ path: 'tags', message: `must have at most ${maxTags} tags` }])
  const pathName = pathNameKey(body.pathName ?? before.pathName)
  const updatedAt = laterThan(before, now)
  return { ...before, ...body, pathName, tags: withScopeTag(own, before.scope), updatedAt }
}

/** The pointers of the values that tokens do not see. An index that is not activated still guards its value. */
export function guardPointers(indexes: readonly ListIndex[]): string[] {
  return indexes.filter(({ guard }) => guard).map(({ pointer }) => pointer)
}

/**
 * @param limits of the account; null: none
 * @throws MAX_INDEXES_EXCEEDED when a list has no room for another index
 */
export function assertRoom(indexes: readonly ListIndex[], limits: Pick<PlanLimits, 'maxIndexesPerList'> | null): void {
  const max = limits?.maxIndexesPerList ?? maxIndexesPerList
  assertWithin('maxIndexesPerList', { count: indexes.length, added: 1, max })
}

/**
 * Checks that an index may have these settings next to the other indexes of its list (contract 2.2 and 2.3).
 * @throws INDEX_PATH_NAME_TAKEN, VALIDATION_FAILED, INDEX_ALIAS_EXISTS
 */
export function assertFits(index: ListIndex, others: readonly ListIndex[]): void {
  if (others.some(({ pathName }) => pathName === index.pathName)) throw new AppError('INDEX_PATH_NAME_TAKEN')
  const violated = violations([...others, index]).get(index.pathName) ?? []
  const invalid = violated.filter(({ name }) => name === 'VALIDATION_FAILED')
  if (invalid.length > 0) throw validationFailed(invalid)
  const [first] = violated
  if (first) throw new AppError(first.name, { message: first.message })
}

/** @throws VALIDATION_FAILED for an alias index whose aliases would be elements of arrays */
export function assertAliasPossible(before: ListIndex, after: ListIndex): void {
  const violation = aliasViolation(before, after)
  if (violation) throw validationFailed([violation])
}

/** The index by id, or by path name ignoring case; an id takes precedence over a path name that looks like one. */
export function findIndex(indexes: readonly ListIndex[], ref: string): ListIndex | null {
  const key = pathNameKey(ref)
  return indexes.find(({ id }) => id === key) ?? indexes.find(({ pathName }) => pathName === key) ?? null
}
