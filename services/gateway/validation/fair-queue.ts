/** Waiting work of many accounts, served in turn: an account with much of it waits longer than one with little. */
type FairQueue<T> = {
  /** False: the limit is reached, of this account or of all. */
  add(accountId: string, entry: T, characters: number): boolean
  /** The first entry of the account that was served least recently. */
  next(): T | undefined
  waiting(): number
}

/** How many entries, and how many characters they may hold together. */
export type QueueBounds = { entries: number; characters: number }

type AccountQueue<T> = { entries: { entry: T; characters: number }[]; characters: number }

export function createFairQueue<T>(bounds: { all: QueueBounds; account: QueueBounds }): FairQueue<T> {
  const queues = new Map<string, AccountQueue<T>>()
  let waiting = 0
  let held = 0

  return {
    add(accountId, entry, characters) {
      const queue: AccountQueue<T> = queues.get(accountId) ?? { entries: [], characters: 0 }
      if (isFull(bounds.all, { entries: waiting, characters: held + characters })) return false
      const own = { entries: queue.entries.length, characters: queue.characters + characters }
      if (isFull(bounds.account, own)) return false
      queue.entries.push({ entry, characters })
      queue.characters += characters
      queues.set(accountId, queue)
      waiting++
      held += characters
      return true
    },
    next() {
      for (const [accountId, queue] of queues) {
        queues.delete(accountId)
        const first = queue.entries.shift()
        if (!first) continue
        queue.characters -= first.characters
        waiting--
        held -= first.characters
        if (queue.entries.length > 0) queues.set(accountId, queue) // after the others
        return first.entry
      }
      return undefined
    },
    waiting: () => waiting,
  }
}

/** @param current the entries, and the characters with those of the new one */
function isFull(bounds: QueueBounds, current: QueueBounds): boolean {
  return current.entries >= bounds.entries || current.characters > bounds.characters
}
