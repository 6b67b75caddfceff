/** Waiting work of many accounts, served in turn, so that an account with much work waits longer than one with little. */
type FairQueue<T> = {
  /** False: the limit is reached, of this account or of all. */
  add(accountId: string, entry: T, size: number): boolean
  /**
   * The first entry of the account that was served least recently.
   * @param isServed which accounts may be served now; the others keep their place
   */
  next(isServed?: (accountId: string) => boolean): T | undefined
  waiting(): number
}

/** The maximum number of entries, and their maximum total size, in characters or bytes. */
export type QueueBounds = { entries: number; size: number }

type AccountQueue<T> = { entries: { entry: T; size: number }[]; size: number }

export function createFairQueue<T>(bounds: { all: QueueBounds; account: QueueBounds }): FairQueue<T> {
  const queues = new Map<string, AccountQueue<T>>()
  let waiting = 0
  let held = 0

  return {
    add(accountId, entry, size) {
      const queue: AccountQueue<T> = queues.get(accountId) ?? { entries: [], size: 0 }
      if (isFull(bounds.all, { entries: waiting, size: held + size })) return false
      const own = { entries: queue.entries.length, size: queue.size + size }
      if (isFull(bounds.account, own)) return false
      queue.entries.push({ entry, size })
      queue.size += size
      queues.set(accountId, queue)
      waiting++
      held += size
      return true
    },
    next(isServed = () => true) {
      for (const [accountId, queue] of queues) {
        if (!isServed(accountId)) continue
        queues.delete(accountId)
        const first = queue.entries.shift()
        if (!first) continue
        queue.size -= first.size
        waiting--
        held -= first.size
        if (queue.entries.length > 0) queues.set(accountId, queue) // after the others
        return first.entry
      }
      return undefined
    },
    waiting: () => waiting,
  }
}

/** @param current the entries, and the size with those of the new one */
function isFull(bounds: QueueBounds, current: QueueBounds): boolean {
  return current.entries >= bounds.entries || current.size > bounds.size
}
