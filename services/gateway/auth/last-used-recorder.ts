import { noteUses, type UsedTable } from '#shared/data/accounts/last-uses.ts'
import type { Database } from '#shared/data/database.ts'

/** Writes down, some together, when sessions or tokens were last used, for other gateways and whoever lists them. */
export type LastUsedRecorder = {
  /** @param at epoch milliseconds */
  record(id: string, at: number): void
  /** Writes what is not written yet. */
  close(): Promise<void>
}

const gatherMs = 250

/** @param options.onError told of uses that could not be written; the next use of each is noted again */
export function createLastUsedRecorder(options: {
  db: Database
  table: UsedTable
  onError(error: unknown): void
}): LastUsedRecorder {
  const { db, table, onError } = options
  let uses = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (uses.size === 0) return
    const noted = [...uses].map(([id, at]) => ({ id, at }))
    uses = new Map()
    await noteUses(db, table, noted).catch(onError)
  }

  return {
    record(id, at) {
      uses.set(id, at)
      timer ??= setTimeout(write, gatherMs).unref()
    },
    close: write,
  }
}
