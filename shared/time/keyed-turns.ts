/** Runs work when all that was given before with the same key has ended, however it ended. */
export type KeyedTurns = <T>(key: string, work: () => Promise<T>) => Promise<T>

export function createKeyedTurns(): KeyedTurns {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, turn)
    try {
      return await turn
    } finally {
      if (last.get(key) === turn) last.delete(key)
    }
  }
}
