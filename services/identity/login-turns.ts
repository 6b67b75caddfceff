import { createExclusive } from '#shared/admission/exclusive.ts'
import { unavailable } from '#shared/errors.ts'

/** Runs work when all earlier work with the same key has ended. @throws SERVICE_UNAVAILABLE when too many wait */
export type LoginTurns = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** @param maxWaiting how many may wait in total, for all keys: fewer than a process handles at once, so that others are still served */
export function createLoginTurns(maxWaiting: number): LoginTurns {
  const exclusive = createExclusive()
  let waiting = 0
  return async (key, work) => {
    if (waiting >= maxWaiting) throw unavailable('too many logins are waiting for others of the same name')
    waiting++
    try {
      using _section = await exclusive([key])
      return await work()
    } finally {
      waiting--
    }
  }
}
