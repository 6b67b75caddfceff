import { unavailable } from '#shared/errors.ts'
import { createFairQueue } from '../fair-queue.ts'

const mib = 1024 * 1024

const waiting = { all: { entries: 1_000, size: 256 * mib }, account: { entries: 250, size: 128 * mib } }

/**
 * Runs work when it is its turn: next is the account that was served least recently.
 * @throws SERVICE_UNAVAILABLE when too much waits, of the account or of all
 */
export type Turns = <T>(of: { accountId: string; bytes: number }, work: () => Promise<T>) => Promise<T>

/**
 * Turns for requests that take many times the memory of their bodies: while they wait they hold no more than the bytes.
 * @param atOnce bytes of the bodies that are handled; the next one begins while there are fewer
 */
export function createTurns(atOnce: number): Turns {
  const queue = createFairQueue<() => void>(waiting)
  let handled = 0

  function startNext(): void {
    while (handled < atOnce) {
      const start = queue.next()
      if (!start) return
      start()
    }
  }

  return async ({ accountId, bytes }, work) => {
    const turn = Promise.withResolvers<void>()
    const size = Math.max(1, bytes)
    const start = () => {
      handled += size
      turn.resolve()
    }
    if (!queue.add(accountId, start, size)) throw unavailable()
    startNext()
    await turn.promise
    try {
      return await work()
    } finally {
      handled -= size
      startNext()
    }
  }
}
