import { retryOnConflict } from '#shared/data/conflict.ts'
import type { Transaction } from '#shared/data/database.ts'
import { isUniqueViolation } from '#shared/data/database-errors.ts'
import type { LoggedEvent } from '#shared/data/events/events.ts'
import { commitListChange } from '#shared/data/lists/commit-change.ts'
import type { List } from '#shared/domain/list/fields.ts'
import type { Loss } from '#shared/domain/use/losses.ts'
import { AppError } from '#shared/errors.ts'
import { dependentWarnings } from '../../auth/dependents.ts'
import type { ListDeps } from './context.ts'
import { getVisibleList, type ListRequest } from './load-list.ts'

/** One change of a list: the write, and its entry in the event log. */
type ListMutation = {
  /** The list for the response. */
  list: List
  /** What the change removes. */
  losses: readonly Loss[]
  event: LoggedEvent
  /** @throws Conflict when the list has changed since it was loaded */
  write(tx: Transaction): Promise<void>
}

/** The list after a change, or as it was deleted, and the warnings about dependents of what the change removes. */
export type ModifiedList = { list: List; warnings: string[] }

/**
 * Changes an existing list: loads it, computes the mutation and writes it with its event, except in a dry run. After a concurrent change
 * it starts over with the list's new state.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, the errors of `computeNext`, LIST_PATH_NAME_TAKEN,
 *   SERVICE_UNAVAILABLE
 */
export function modifyList(
  deps: ListDeps,
  { dryRun = false, ...request }: ListRequest & { dryRun?: boolean },
  computeNext: (before: List) => ListMutation | Promise<ListMutation>,
): Promise<ModifiedList> {
  return retryOnConflict('list', async () => {
    const mutation = await computeNext(await getVisibleList(deps, request))
    // Read before the commit: a change that was committed must not end as an error.
    const warnings = await dependentWarnings(deps.db, request.principal, mutation.losses)
    if (!dryRun) await commit(deps, mutation)
    return { list: mutation.list, warnings }
  })
}

async function commit(deps: ListDeps, { write, event }: ListMutation): Promise<void> {
  try {
    await commitListChange(deps, event, write)
  } catch (error) {
    throw isUniqueViolation(error) ? new AppError('LIST_PATH_NAME_TAKEN') : error
  }
}
