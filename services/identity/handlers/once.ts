import type { Database } from '#shared/data/database.ts'
import { findEventSubject } from '#shared/data/events/event-log.ts'
import { AppError } from '#shared/errors.ts'

/**
 * Does what a request asks for once, however often it is sent: a process that died, or has not answered, may have done it.
 * @param work leaves nothing when it throws
 * @param findDone finds by the key of the request what was done for it; null when nothing was
 * @throws what `work` throws, where nothing was done for the request
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
 * @returns whom this call or one before it has changed
 * @throws what `change` throws, where the request has changed nothing
 */
export function changeOnce(
  db: Database,
  { accountId, key: eventId }: { accountId: string; key: string },
  change: () => Promise<string>,
): Promise<string> {
  return doOnce(change, () => findEventSubject(db, { accountId, eventId }))
}
