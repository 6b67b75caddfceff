import { createExclusive } from '#shared/admission/exclusive.ts'
import { unavailable } from '#shared/errors.ts'

/** Runs work when all that was given before with the same key has ended. @throws SERVICE_UNAVAILABLE when too many wait */
export type LoginTurns = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** @param maxWaiting who may wait, whatever the keys: fewer than a process answers at once, so that others are answered meanwhile */
export function createLoginTurns(maxWaiting: number): LoginTurns {
  const exclusive = createExclusive()
  let waiting = 0
  return async (key, work) => {
    if (waiting >= maxWaiting) throw unavailable('too many logins wait for others of the same name')
    waiting++
    try {
      using _section = await exclusive([key])
      return await work()
    } finally {
      waiting--
    }
  }
}
