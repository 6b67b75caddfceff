/** Reads the titles of items of a list by their ids or aliases. Items that are not found are left out. */
export type ReadTitles = (list: string, names: readonly string[]) => Promise<ReadonlyMap<string, string>>

type Waiting = { name: string; resolve: (title: string | null) => void; reject: (reason: unknown) => void }

/** Items of one request at most. */
const mostAtOnce = 100

/**
 * Loads single titles in shared requests: titles of a list that are requested within `waitMs` are read together, up to 100 in one request.
 * @param waitMs how long the first one waits for others
 */
export function titleLoader(read: ReadTitles, waitMs: number) {
  const waiting = new Map<string, Waiting[]>()
  const send = (list: string) => {
    const all = waiting.get(list) ?? []
    waiting.delete(list)
    const names = [...new Set(all.map(({ name }) => name))]
    for (let from = 0; from < names.length; from += mostAtOnce) {
      const some = names.slice(from, from + mostAtOnce)
      const asked = all.filter(({ name }) => some.includes(name))
      read(list, some).then(
        (titles) => {
          for (const { name, resolve } of asked) resolve(titles.get(name) ?? null)
        },
        (reason) => {
          for (const { reject } of asked) reject(reason)
        },
      )
    }
  }
  /** The title of an item; null: there is none. @throws what `read` throws */
  return (list: string, name: string): Promise<string | null> =>
    new Promise((resolve, reject) => {
      const others = waiting.get(list)
      if (others) others.push({ name, resolve, reject })
      else {
        waiting.set(list, [{ name, resolve, reject }])
        setTimeout(send, waitMs, list)
      }
    })
}
