import { retryOnConflict } from '#shared/data/conflict.ts'
import type { LoggedEvent } from '#shared/data/events/events.ts'
import { commitListChange } from '#shared/data/lists/commit-change.ts'
import { writeIndexChange } from '#shared/data/lists/index-changes.ts'
import type { Actor } from '#shared/domain/actor.ts'
import type { List } from '#shared/domain/list/fields.ts'
import { type IndexChange, rebuilt, withBuild } from '#shared/domain/list/index-build.ts'
import { type IndexBody, type ListIndex, serializeListIndex } from '#shared/domain/list/index-fields.ts'
import {
  assertAliasPossible,
  assertFits,
  assertRoom,
  changedIndex,
  newIndex,
} from '#shared/domain/list/index-settings.ts'
import { changesWords } from '#shared/domain/search/searched.ts'
import { indexLosses } from '#shared/domain/use/losses.ts'
import { AppError } from '#shared/errors.ts'
import { authorize } from '../../auth/authorize.ts'
import { dependentWarnings } from '../../auth/dependents.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { IndexDeps } from './context.ts'
import { getVisibleIndex, type IndexedList, type IndexesRequest, type IndexRequest, loadIndexes } from './load-index.ts'

export type IndexCreation = { principal: AuthenticatedPrincipal; list: string; fields: IndexBody }

/**
 * Creates an index; over stored items it is built in the background (contract 2.3).
 * @throws the errors of `modifyIndex` and `plannedIndex`
 */
export function createIndex(deps: IndexDeps, { principal, list, fields }: IndexCreation): Promise<ModifiedIndex> {
  return modifyIndex(deps, { principal, list, action: 'create' }, (current) => {
    const index = plannedIndex(deps, current, { principal, fields })
    return { before: null, after: withBuild(null, index, { items: current.list.itemCount, newId: deps.newId }) }
  })
}

/**
 * The index that a request would create.
 * @throws TOKEN_NOT_AUTHORIZED, REQUESTED_ENTITY_NOT_FOUND, the errors of `assertFits`, MAX_INDEXES_EXCEEDED
 */
export function plannedIndex(
  deps: Pick<IndexDeps, 'now' | 'newId'>,
  { list, indexes }: IndexedList,
  { principal, fields }: Omit<IndexCreation, 'list'>,
): ListIndex {
  const { id: listId, accountId } = list
  authorize(principal, { action: 'create', resourceType: 'index', listId })
  const index = newIndex(fields, { id: deps.newId(), accountId, listId, at: deps.now() })
  assertFits(index, indexes)
  assertRoom(indexes, principal.limits)
  return index
}

/**
 * Changes the fields in the body. Another pointer or value type, or turning on `alias` or `searching`, builds the index again
 * (contract 2.3).
 * @throws the errors of `modifyIndex` and `assertFits`, VALIDATION_FAILED
 */
export function updateIndex(
  deps: IndexDeps,
  { fields, ...request }: Omit<IndexRequest, 'action'> & { fields: IndexBody },
): Promise<ModifiedIndex> {
  const updating = { ...request, action: 'update' } as const
  return modifyIndex(deps, updating, (current) => {
    const before = getVisibleIndex(current, updating)
    const changed = changedIndex(before, fields, deps.now())
    assertAliasPossible(before, changed)
    assertFits(
      changed,
      current.indexes.filter((index) => index !== before),
    )
    return { before, after: withBuild(before, changed, { items: current.list.itemCount, newId: deps.newId }) }
  })
}

/**
 * Builds an index again after its build has failed (contract 2.3).
 * @throws the errors of `modifyIndex`, INDEX_BUILD_NOT_FAILED
 */
export async function rebuildIndex(deps: IndexDeps, request: Omit<IndexRequest, 'action'>): Promise<ListIndex> {
  const updating = { ...request, action: 'update' } as const
  const { index } = await modifyIndex(deps, updating, (current) => {
    const before = getVisibleIndex(current, updating)
    if (before.buildStatus !== 'failed') throw new AppError('INDEX_BUILD_NOT_FAILED')
    const after = rebuilt(changedIndex(before, {}, deps.now()), { items: current.list.itemCount, newId: deps.newId })
    return { before, after }
  })
  return index
}

/**
 * Deletes an index, except in a dry run; its values are purged in the background.
 * @returns the warnings about its dependents
 * @throws the errors of `modifyIndex`
 */
export async function deleteIndex(
  deps: IndexDeps,
  request: Omit<IndexRequest, 'action'> & { dryRun: boolean },
): Promise<string[]> {
  const deleting = { ...request, action: 'delete' } as const
  const { warnings } = await modifyIndex(deps, deleting, (current) => ({
    before: getVisibleIndex(current, deleting),
    after: null,
  }))
  return warnings
}

/** An index after a change, or the deleted one, and the warnings about dependents of what the change removes. */
export type ModifiedIndex = { index: ListIndex; warnings: string[] }

/**
 * Changes an index of a list: loads the list and its indexes, computes the change and writes it with its event, except in a dry run. After a
 * concurrent change it starts over with the new state.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, LIST_READONLY, the errors of `computeChange`, SERVICE_UNAVAILABLE
 */
function modifyIndex(
  deps: IndexDeps,
  { dryRun = false, ...request }: IndexesRequest & { dryRun?: boolean },
  computeChange: (current: IndexedList) => IndexChange,
): Promise<ModifiedIndex> {
  return retryOnConflict('list', async () => {
    const current = await loadIndexes(deps, request)
    const change = computeChange(current)
    if (current.list.readonly) throw new AppError('LIST_READONLY')
    const subject = change.after ?? change.before
    if (!subject) throw new TypeError('A change needs an index.')
    // Read before the commit: a change that was committed must not end as an error.
    const warnings = await changeWarnings(deps, request.principal, { current, change })
    if (dryRun) return { index: subject, warnings }
    const event = indexEvent(deps, change, { list: current.list, subject, actor: request.principal.actor })
    await commitListChange(deps, event, (tx) => writeIndexChange(tx, current.list, change))
    if (change.after?.buildStatus === 'building' || changesWords(change)) deps.bus.broadcast('gateway.build', {})
    return { index: subject, warnings }
  })
}

/** The warnings about dependents of what a change of an index removes. */
export function changeWarnings(
  { db }: Pick<IndexDeps, 'db'>,
  principal: AuthenticatedPrincipal,
  { current, change }: { current: IndexedList; change: IndexChange },
): Promise<string[]> {
  return dependentWarnings(db, principal, indexLosses(current.list.pathName, change))
}

/** The event log's entry for a change of an index. */
function indexEvent(
  deps: IndexDeps,
  { before, after }: IndexChange,
  { list, subject, actor }: { list: List; subject: ListIndex; actor: Actor },
): LoggedEvent {
  const type = before === null ? 'index-created' : after === null ? 'index-deleted' : 'index-updated'
  const createdAt = after?.updatedAt ?? deps.now()
  return {
    id: deps.newId(),
    accountId: subject.accountId,
    createdAt,
    stream: 'index',
    type,
    modelId: subject.id,
    listId: subject.listId,
    actor,
    snapshot: serializeListIndex(subject),
    ...(list.realtime && { realtime: true }),
  }
}
