import type { Database } from '#shared/data/database.ts'
import { recordUses, type UsedTable } from '#shared/data/sign-in/last-uses.ts'

/** Records in batches when sessions or tokens were last used, for other gateways and for pages that show this. */
export type LastUsedRecorder = {
  /** @param at epoch milliseconds */
  record(id: string, at: number): void
  /** Writes the remaining uses. */
  close(): Promise<void>
}

const flushIntervalMs = 250

/** @param options.onError called when uses could not be written; they are not retried, but later uses are recorded as usual */
export function createLastUsedRecorder(options: {
  db: Database
  table: UsedTable
  onError(error: unknown): void
}): LastUsedRecorder {
  const { db, table, onError } = options
  let uses = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (uses.size === 0) return
    const batch = [...uses].map(([id, at]) => ({ id, at }))
    uses = new Map()
    await recordUses(db, table, batch).catch(onError)
  }

  return {
    record(id, at) {
      uses.set(id, at)
      timer ??= setTimeout(flush, flushIntervalMs).unref()
    },
    close: flush,
  }
}
