import { unavailable } from '#shared/errors.ts'
import { withTimeLimit } from '#shared/time/time-limit.ts'
import { createFairQueue, type QueueBounds } from './fair-queue.ts'

export type AdmissionOptions = {
  /** The size of work that may run at once: more work starts while less than this is running. */
  atOnce: number
  /** The same for one account; absent: an account may use all of it. */
  perAccount?: number
  /** Bounds of waiting work, of all accounts and of one. Work that has waited too long counts until its turn comes. */
  waiting: { all: QueueBounds; account: QueueBounds }
  /** How long work may wait for its turn, in milliseconds; without it, as long as it takes. */
  waitMs?: number
  /** Creates the error for rejected work; by default SERVICE_UNAVAILABLE. */
  createError?(reason: string): Error
}

/**
 * Runs work when its turn comes. The account that was served least recently is next.
 * @param of.size in the unit of the options, at least 1
 * @throws SERVICE_UNAVAILABLE, or the error of the options, if too much work of the account or of all accounts is waiting, or the work has
 * waited too long
 */
export type AdmissionQueue = <T>(of: { accountId: string; size: number }, work: () => Promise<T>) => Promise<T>

export function createAdmissionQueue({
  atOnce,
  perAccount = atOnce,
  waiting,
  waitMs,
  createError = unavailable,
}: AdmissionOptions): AdmissionQueue {
  const queue = createFairQueue<() => void>(waiting)
  const inFlight = new Map<string, number>()
  let total = 0

  const hasRoom = (accountId: string) => (inFlight.get(accountId) ?? 0) < perAccount

  function startNext(): void {
    while (total < atOnce) {
      const start = queue.next(hasRoom)
      if (!start) return
      start()
    }
  }

  function add(accountId: string, size: number): void {
    total += size
    const own = (inFlight.get(accountId) ?? 0) + size
    if (own > 0) inFlight.set(accountId, own)
    else inFlight.delete(accountId)
  }

  return async ({ accountId, size }, work) => {
    const turn = createTurn({ onBegin: () => add(accountId, size), createError })
    if (!queue.add(accountId, turn.begin, size)) throw createError('too many requests are waiting')
    startNext()
    await (waitMs === undefined ? turn.begun : withTimeLimit(turn.begun, waitMs, turn.giveUp))
    try {
      return await work()
    } finally {
      add(accountId, -size)
      startNext()
    }
  }
}

type TurnOptions = { onBegin(): void } & Required<Pick<AdmissionOptions, 'createError'>>

/** The turn of one piece of work: either it begins or it is given up, whichever comes first. */
function createTurn({ onBegin, createError }: TurnOptions): { begun: Promise<void>; begin(): void; giveUp(): void } {
  const { promise: begun, resolve } = Promise.withResolvers<void>()
  let state: 'waiting' | 'begun' | 'given up' = 'waiting'
  return {
    begun,
    begin() {
      if (state === 'given up') return
      state = 'begun'
      onBegin()
      resolve()
    },
    giveUp() {
      if (state === 'begun') return
      state = 'given up'
      throw createError('the request waited too long')
    },
  }
}
