import { AppError, unavailable } from '#shared/errors.ts'

/** Why a database cannot store anything; the words are shown to clients. */
export type StorageFailure = 'disk full' | 'not writable'

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
 */
export function createStorage({
  failureOf,
  tookTooLong,
}: {
  failureOf(error: unknown): StorageFailure | null
  tookTooLong(error: unknown): boolean
}): Storage & { explain(error: unknown): unknown } {
  let last: StorageFailure | null = null
  return {
    failure: () => last,
    works() {
      last = null
    },
    /** @returns the error to throw instead */
    explain(error) {
      if (tookTooLong(error)) return unavailable()
      const failure = failureOf(error)
      if (failure === null) return error
      last = failure
      return new AppError('SERVICE_UNAVAILABLE', { message: sentences[failure], retryAfterSeconds: repairSeconds })
    },
  }
}

const sentences: Record<StorageFailure, string> = {
  'disk full': 'Nothing can be stored now: the disk of the database is full.',
  'not writable': 'Nothing can be stored now: the database cannot be written.',
}
