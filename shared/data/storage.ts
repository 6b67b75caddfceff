import { AppError, unavailable } from '#shared/errors.ts'

/** Why a database cannot store anything; the words are shown to clients. */
export type StorageFault = 'disk full' | 'not writable'

/** Remembers the last storage fault until something could be stored again. */
export type Storage = {
  fault(): StorageFault | null
  /** Called when something could be stored: clears the fault. */
  works(): void
}

/** An operator has to free space or repair something first, which takes longer than a moment. */
const repairSeconds = 10

/**
 * Translates a statement's errors for its caller, and remembers storage faults.
 * @param faultOf the storage fault that an error means; null: none
 * @param tookTooLong whether an error means that the statement was ended at its time limit
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
    /** @returns the error to throw instead */
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
