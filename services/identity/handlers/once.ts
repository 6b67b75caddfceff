import type { Database } from '#shared/data/database.ts'
import { findEventSubject } from '#shared/data/events/event-log.ts'
import { AppError } from '#shared/errors.ts'

/**
 * Executes a request once, however often it is sent: a process that died, or did not answer, may have executed it.
 * @param work changes nothing when it throws
 * @param findDone finds the result of the request by its key; null when it was not executed
 * @throws what `work` throws, if the request was not executed
 */
export async function doOnce<T>(work: () => Promise<T>, findDone: () => Promise<T | null>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const done = error instanceof AppError ? await findDone() : null
    if (done === null) throw error
    return done
  }
}

/**
 * Changes an identity or a user once. The entry of the change in the event log has the key of the request as its id.
 * @param change returns the id of the identity or user that it has changed
 * @returns the id of the identity or user that this call or an earlier one has changed
 * @throws what `change` throws, if the request has changed nothing
 */
export function changeOnce(
  db: Database,
  { accountId, key: eventId }: { accountId: string; key: string },
  change: () => Promise<string>,
): Promise<string> {
  return doOnce(change, () => findEventSubject(db, { accountId, eventId }))
}
