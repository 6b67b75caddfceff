import { unavailable } from '#shared/errors.ts'

/**
 * Waits until every earlier caller under one of these keys has left, in the order of arrival. Disposing leaves: `using section =
 * await exclusive(keys)`. All keys are acquired at once, so that two with the same keys never wait for each other. A caller that
 * holds keys acquires only those of a later kind: of a request, of the batches of an account, of items. A sync acquires one key, and
 * so does a change of a flow.
 * @throws SERVICE_UNAVAILABLE when too many wait
 */
export type Exclusive = ((keys: readonly string[]) => Promise<Disposable>) & {
  /** Whether a caller has been admitted, or waits, under one of these keys. */
  isTaken(keys: readonly string[]): boolean
}

/** @param maxWaiting how many may wait, for all keys together; unlimited where the caller has a bound of its own */
export function createExclusive(maxWaiting = Number.POSITIVE_INFINITY): Exclusive {
  const last = new Map<string, Promise<void>>()
  let waiting = 0

  async function exclusive(keys: readonly string[]): Promise<Disposable> {
    const others = keys.flatMap((key) => last.get(key) ?? [])
    if (others.length > 0 && waiting >= maxWaiting)
      throw unavailable('too many changes are waiting for others of the same item, account or idempotency key')
    const { promise: left, resolve: leave } = Promise.withResolvers<void>()
    for (const key of keys) last.set(key, left)
    if (others.length > 0) {
      waiting++
      await Promise.all(others)
      waiting--
    }
    return {
      [Symbol.dispose]() {
        for (const key of keys) if (last.get(key) === left) last.delete(key)
        leave()
      },
    }
  }

  return Object.assign(exclusive, { isTaken: (keys: readonly string[]) => keys.some((key) => last.has(key)) })
}
