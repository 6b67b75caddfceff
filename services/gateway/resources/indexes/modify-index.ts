import { retryOnConflict } from '#shared/data/conflict.ts'
import type { LoggedEvent } from '#shared/data/events/events.ts'
import { commitListChange } from '#shared/data/lists/commit-change.ts'
import { writeIndexChange } from '#shared/data/lists/index-changes.ts'
import type { Actor } from '#shared/domain/actor.ts'
import type { IndexChange } from '#shared/domain/list/index-build.ts'
import { type ListIndex, serializeListIndex } from '#shared/domain/list/index-fields.ts'
import { changesWords } from '#shared/domain/search/searched.ts'
import { indexLosses } from '#shared/domain/use/losses.ts'
import { AppError } from '#shared/errors.ts'
import { dependentWarnings } from '../../auth/dependents.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { IndexDeps } from './context.ts'
import { type IndexedList, type IndexesRequest, loadIndexes } from './load-index.ts'

/** An index after a change, or the deleted one, and the warnings about who depends on what the change takes away. */
export type ModifiedIndex = { index: ListIndex; warnings: string[] }

/**
 * Changes an index of a list: loads the list and its indexes, computes the change and writes it with its event, but in a dry run. After a
 * concurrent change it starts again with the new state.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, LIST_READONLY, what `computeChange` throws, SERVICE_UNAVAILABLE
 */
export function modifyIndex(
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
    // Read before the commit: a change that was made must not end as an error.
    const warnings = await changeWarnings(deps, request.principal, { current, change })
    if (dryRun) return { index: subject, warnings }
    const event = indexEvent(deps, change, { subject, actor: request.principal.actor })
    await commitListChange(deps, event, (tx) => writeIndexChange(tx, current.list, change))
    if (change.after?.buildStatus === 'building' || changesWords(change)) deps.bus.broadcast('gateway.build', {})
    return { index: subject, warnings }
  })
}

/** The warnings about who depends on what a change of an index takes away. */
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
  { subject, actor }: { subject: ListIndex; actor: Actor },
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
  }
}
