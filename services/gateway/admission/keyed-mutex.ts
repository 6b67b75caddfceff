import { unavailable } from '#shared/errors.ts'

/** Runs work of one key after the other, in the order of arrival; work of different keys runs side by side. */
export type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** @param maxWaiting work that may wait, of all keys; beyond it SERVICE_UNAVAILABLE */
export function createKeyedMutex(maxWaiting: number): KeyedMutex {
  const last = new Map<string, Promise<unknown>>()
  let waiting = 0

  async function after<T>(others: Promise<unknown>, work: () => Promise<T>): Promise<T> {
    waiting++
    await others.finally(() => waiting--)
    return work()
  }

  return async (key, work) => {
    const others = last.get(key)
    if (others && waiting >= maxWaiting) throw unavailable('too many changes of single items wait')
    const result = others ? after(others, work) : work()
    const ended = result.then(ignore, ignore).then(() => {
      if (last.get(key) === ended) last.delete(key)
    })
    last.set(key, ended)
    return result
  }
}

const ignore = () => {}
