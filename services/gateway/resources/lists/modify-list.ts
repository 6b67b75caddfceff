import { retryOnConflict } from '#shared/data/conflict.ts'
import type { Transaction } from '#shared/data/database.ts'
import { isUniqueViolation } from '#shared/data/database-errors.ts'
import type { LoggedEvent } from '#shared/data/events/events.ts'
import { commitListChange } from '#shared/data/lists/commit-change.ts'
import type { List } from '#shared/domain/list/fields.ts'
import { AppError } from '#shared/errors.ts'
import type { ListDeps } from './context.ts'
import { getVisibleList, type ListRequest } from './load-list.ts'

/** One change of a list: what is written, and its entry in the event log. */
type ListMutation = {
  /** The list for the response. */
  list: List
  event: LoggedEvent
  /** @throws Conflict when the list has changed since it was loaded */
  write(tx: Transaction): Promise<void>
}

/**
 * Changes an existing list: loads it, computes the mutation and writes that with its event. After a concurrent change it
 * starts again with the list's new state.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, what `computeNext` throws, LIST_PATH_NAME_TAKEN,
 *   SERVICE_UNAVAILABLE
 */
export function modifyList(
  deps: ListDeps,
  request: ListRequest,
  computeNext: (before: List) => ListMutation | Promise<ListMutation>,
): Promise<List> {
  return retryOnConflict('list', async () => {
    const mutation = await computeNext(await getVisibleList(deps, request))
    await commit(deps, mutation)
    return mutation.list
  })
}

async function commit(deps: ListDeps, { write, event }: ListMutation): Promise<void> {
  try {
    await commitListChange(deps, event, write)
  } catch (error) {
    throw isUniqueViolation(error) ? new AppError('LIST_PATH_NAME_TAKEN') : error
  }
}
