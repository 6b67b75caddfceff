import type { Transaction } from '#shared/data/database.ts'
import { isUniqueViolation } from '#shared/data/database.ts'
import { insertEvents, type LoggedEvent } from '#shared/data/events/events.ts'
import type { List } from '#shared/domain/list/list.ts'
import { AppError } from '#shared/errors.ts'
import type { Deps } from '../../context.ts'
import { getVisibleList, type ListRequest } from './load-list.ts'

/** One change of a list: what is written, and the entry of the log that tells of it. */
export type ListMutation = {
  /** The list as it is answered. */
  list: List
  event: LoggedEvent
  /** @returns false: the list is no longer what the step was made from */
  write(tx: Transaction): Promise<boolean>
}

/** A list whose settings change faster than this many requests can follow. */
const maxAttempts = 20

/**
 * Changes a list that exists: finds it, lets `decide` make the step and writes that with its event. When somebody else
 * changed the list meanwhile, it begins again with the list as it is then.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, what `decide` throws, LIST_PATH_NAME_TAKEN,
 *   SERVICE_UNAVAILABLE
 */
export async function modifyList(
  deps: Deps,
  request: ListRequest,
  computeNext: (before: List) => ListMutation | Promise<ListMutation>,
): Promise<List> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const step = await computeNext(await getVisibleList(deps, request))
    if (await commit(deps, step)) return step.list
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
