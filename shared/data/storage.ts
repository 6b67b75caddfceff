import { AppError, unavailable } from '#shared/errors.ts'
import type { DatabaseListener, StorageFailure } from './database-listener.ts'

/** Remembers the last storage failure until something could be stored again. */
export type Storage = {
  failure(): StorageFailure | null
  /** Called when something could be stored: clears the failure. */
  works(): void
}

/** An operator has to free space or repair something first, which takes longer than a moment. */
const repairSeconds = 10

/**
 * Translates a statement's errors for its caller, and remembers storage failures.
 * @param failureOf the storage failure that an error means; null: none
 * @param tookTooLong whether an error means that the statement was ended at its time limit
 * @param listener is called when a failure begins, changes and ends
 */
export function createStorage({
  failureOf,
  tookTooLong,
  listener,
}: {
  failureOf(error: unknown): StorageFailure | null
  tookTooLong(error: unknown): boolean
  listener: Pick<DatabaseListener, 'storage'>
}): Storage & { explain(error: unknown): unknown } {
  let last: StorageFailure | null = null
  const note = (failure: StorageFailure | null) => {
    if (failure !== last) listener.storage(failure)
    last = failure
  }
  return {
    failure: () => last,
    works: () => note(null),
    /** @returns the error to throw instead */
    explain(error) {
      if (tookTooLong(error)) return unavailable('a statement took too long')
      const failure = failureOf(error)
      if (failure === null) return error
      note(failure)
      return new AppError('SERVICE_UNAVAILABLE', {
        message: sentences[failure],
        retryAfterSeconds: repairSeconds,
        // The words of the driver name the right and the table, but also the user.
        reason: failure === 'no rights' ? `${failure}: ${(error as Error).message}` : failure,
      })
    },
  }
}

const sentences: Record<StorageFailure, string> = {
  'disk full': 'Nothing can be stored now: the disk of the database is full.',
  'not writable': 'Nothing can be stored now: the database cannot be written.',
  'no rights': 'The user of the database lacks rights that listd needs.',
}
