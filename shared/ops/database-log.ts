import type { DatabaseListener, SlowStatement } from '#shared/data/database-listener.ts'
import type { Logger } from '#shared/log/logger.ts'

/** How many slow statements are logged per minute; the next line has the number of those left out. */
const maxSlowLines = 10
const minuteMs = 60_000
const maxStatementLength = 300

/** Logs what the database of a process reports about itself. */
export function createDatabaseLog(log: Logger): DatabaseListener {
  return {
    lost: (reason) => log('database.lost', { reason }),
    connected: () => log('database.connected'),
    storage: (reason) => (reason === null ? log('storage.recovered') : log('storage.failed', { reason })),
    slow: createSlowLog(log),
  }
}

function createSlowLog(log: Logger): (statement: SlowStatement) => void {
  let since = 0
  let lines = 0
  let left = 0
  return ({ text, durationMs, rows }) => {
    const now = performance.now()
    if (now - since > minuteMs) {
      since = now
      lines = 0
    }
    if (++lines > maxSlowLines) {
      left++
      return
    }
    const statement = text.replace(/\s+/g, ' ').trim().slice(0, maxStatementLength)
    const more = left > 0 ? { left } : {}
    log('statement.slow', { statement, durationMs: Math.round(durationMs), rows, ...more })
    left = 0
  }
}
