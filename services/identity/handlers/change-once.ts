import type { Database } from '#shared/data/database.ts'
import { findEventSubject } from '#shared/data/events/event-log.ts'
import { AppError } from '#shared/errors.ts'

/**
 * Makes a change of an identity or a user once, however often its request is asked. The entry of the change in the event log has the key
 * of the request as its id, so that a request whose process died before its answer finds that it was done.
 * @param make makes the change and returns whom it has changed; nothing is left of it when it throws
 * @returns whom this call or one before it has changed
 * @throws what `make` throws, where the request has changed nothing
 */
export async function changeOnce(
  db: Database,
  request: { accountId: string; key: string },
  make: () => Promise<string>,
): Promise<string> {
  try {
    return await make()
  } catch (error) {
    const { accountId, key: eventId } = request
    const changed = error instanceof AppError ? await findEventSubject(db, { accountId, eventId }) : null
    if (changed === null) throw error
    return changed
  }
}
