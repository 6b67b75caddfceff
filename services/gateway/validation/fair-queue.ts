/** Waiting work of many accounts; who has much of it waits longer than who has little. */
export type FairQueue<T> = {
  /** False: as much waits as may, of this account or of all. */
  add(accountId: string, entry: T, characters: number): boolean
  /** The first entry of the account that has waited longest since its last. */
  next(): T | undefined
  waiting(): number
}

/** How many entries, and how many characters they may hold together. */
export type QueueBounds = { entries: number; characters: number }

type Line<T> = { entries: { entry: T; characters: number }[]; characters: number }

export function createFairQueue<T>(bounds: { all: QueueBounds; account: QueueBounds }): FairQueue<T> {
  const lines = new Map<string, Line<T>>()
  let waiting = 0
  let held = 0

  return {
    add(accountId, entry, characters) {
      const line: Line<T> = lines.get(accountId) ?? { entries: [], characters: 0 }
      if (isFull(bounds.all, { entries: waiting, characters: held + characters })) return false
      const own = { entries: line.entries.length, characters: line.characters + characters }
      if (isFull(bounds.account, own)) return false
      line.entries.push({ entry, characters })
      line.characters += characters
      lines.set(accountId, line)
      waiting++
      held += characters
      return true
    },
    next() {
      for (const [accountId, line] of lines) {
        lines.delete(accountId)
        const first = line.entries.shift()
        if (!first) continue
        line.characters -= first.characters
        waiting--
        held -= first.characters
        if (line.entries.length > 0) lines.set(accountId, line) // behind the others
        return first.entry
      }
      return undefined
    },
    waiting: () => waiting,
  }
}

/** @param found what there is, the characters of the newcomer included */
function isFull(bounds: QueueBounds, found: QueueBounds): boolean {
  return found.entries >= bounds.entries || found.characters > bounds.characters
}
