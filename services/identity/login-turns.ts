import { unavailable } from '#shared/errors.ts'
import { createKeyedTurns, type KeyedTurns } from '#shared/time/keyed-turns.ts'

/** Logins of one name, one after the other. @throws SERVICE_UNAVAILABLE when too many wait */
export type LoginTurns = KeyedTurns

/** @param maxWaiting who may wait, whatever the keys: fewer than a process answers at once, so that others are answered meanwhile */
export function createLoginTurns(maxWaiting: number): LoginTurns {
  const takeTurn = createKeyedTurns()
  let waiting = 0
  return async (key, work) => {
    if (waiting >= maxWaiting) throw unavailable('too many logins wait for others of the same name')
    waiting++
    try {
      return await takeTurn(key, work)
    } finally {
      waiting--
    }
  }
}
