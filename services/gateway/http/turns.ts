import { unavailable } from '#shared/errors.ts'
import { createFairQueue } from '../fair-queue.ts'

const mib = 1024 * 1024

const waiting = { all: { entries: 1_000, size: 256 * mib }, account: { entries: 250, size: 64 * mib } }

/**
 * Runs work when it is its turn: one at a time, and next that of the account that was served least recently.
 * @throws SERVICE_UNAVAILABLE when too much waits, of the account or of all
 */
export type Turns = <T>(of: { accountId: string; bytes: number }, work: () => Promise<T>) => Promise<T>

/**
 * Turns for requests that take many times the memory of their bodies: while they wait they hold no more than the bytes. A sync of
 * 8 MiB takes some 500 MB until it is applied, and two at once take no less time than one after the other.
 */
export function createTurns(): Turns {
  const queue = createFairQueue<() => void>(waiting)
  let isTaken = false

  function startNext(): void {
    if (isTaken) return
    const start = queue.next()
    isTaken = start !== undefined
    start?.()
  }

  return async ({ accountId, bytes }, work) => {
    const { promise: turn, resolve } = Promise.withResolvers<void>()
    if (!queue.add(accountId, resolve, bytes)) throw unavailable()
    startNext()
    await turn
    try {
      return await work()
    } finally {
      isTaken = false
      startNext()
    }
  }
}
