import type { Transaction } from '#shared/data/database.ts'
import { isUniqueViolation } from '#shared/data/drivers/database-errors.ts'
import { insertEvents, type LoggedEvent } from '#shared/data/events/events.ts'
import type { List } from '#shared/domain/list/list.ts'
import { AppError } from '#shared/errors.ts'
import type { Deps } from '../../context.ts'
import { getVisibleList, type ListRequest } from './load-list.ts'

/** One change of a list: what is written, and its entry in the event log. */
export type ListMutation = {
  /** The list for the response. */
  list: List
  event: LoggedEvent
  /** @returns false: the list has changed since it was loaded */
  write(tx: Transaction): Promise<boolean>
}

/** Beyond this many concurrent changes of the list the request gives up. */
const maxAttempts = 20

/**
 * Changes an existing list: loads it, lets `computeNext` make the mutation and writes that with its event. After a concurrent
 * change it starts again with the list's new state.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, what `computeNext` throws, LIST_PATH_NAME_TAKEN,
 *   SERVICE_UNAVAILABLE
 */
export async function modifyList(
  deps: Deps,
  request: ListRequest,
  computeNext: (before: List) => ListMutation | Promise<ListMutation>,
): Promise<List> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const mutation = await computeNext(await getVisibleList(deps, request))
    if (await commit(deps, mutation)) return mutation.list
  }
  throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
}

async function commit({ db }: Deps, { write, event }: ListMutation): Promise<boolean> {
  try {
    return await db.transaction(async (tx) => {
      const written = await write(tx)
      if (written) await insertEvents(tx, [event])
      return written
    })
  } catch (error) {
    throw isUniqueViolation(error) ? new AppError('LIST_PATH_NAME_TAKEN') : error
  }
}
