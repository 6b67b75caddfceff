import type { Connection } from './connection.ts'

/**
 * Detects other writers: other connections, whose commits change SQLite's `data_version` for the writer, and, within this process, callers
 * that waited for the writer or kept another one waiting.
 */
export function watchOthers(writer: Pick<Connection, 'get'>): { waited(): void; wrote(): Promise<boolean> } {
  let hasWaited = false
  let version: number | undefined
  return {
    waited() {
      hasWaited = true
    },
    async wrote() {
      const row = await writer.get<{ data_version: number }>('PRAGMA data_version')
      const wrote = hasWaited || (version !== undefined && row?.data_version !== version)
      version = row?.data_version
      hasWaited = false
      return wrote
    },
  }
}
