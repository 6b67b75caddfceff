import { AppError } from '#shared/errors.ts'

/** What keeps a database from storing anything, in words for everybody. */
export type StorageFault = 'disk full' | 'not writable'

/** The answer when the database cannot do something now, and may be able to a moment later. */
export function unavailable(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
}

/** The last fault of a database's storage, kept until something has been stored again. */
export type Storage = {
  fault(): StorageFault | null
  /** Something has been stored. */
  works(): void
}

/** Somebody has to make room or repair something first: that takes longer than a moment. */
const repairSeconds = 10

/**
 * Tells what an error of a statement means to whoever asked for it, and remembers faults of the storage.
 * @param faultOf what kept the database from storing, if that is the error
 * @param tookTooLong whether the statement was ended at its bound in time
 */
export function createStorage({
  faultOf,
  tookTooLong,
}: {
  faultOf(error: unknown): StorageFault | null
  tookTooLong(error: unknown): boolean
}): Storage & { explain(error: unknown): unknown } {
  let last: StorageFault | null = null
  return {
    fault: () => last,
    works() {
      last = null
    },
    /** @returns what to throw in its place */
    explain(error) {
      if (tookTooLong(error)) return unavailable()
      const fault = faultOf(error)
      if (fault === null) return error
      last = fault
      return new AppError('SERVICE_UNAVAILABLE', { message: sentences[fault], retryAfterSeconds: repairSeconds })
    },
  }
}

const sentences: Record<StorageFault, string> = {
  'disk full': 'Nothing can be stored now: the disk of the database is full.',
  'not writable': 'Nothing can be stored now: the database cannot be written.',
}
