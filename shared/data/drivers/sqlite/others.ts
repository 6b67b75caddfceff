import type { Connection } from './connection.ts'

/**
 * Notices who else writes: other connections, each of whose commits changes what SQLite tells the writer as `data_version`, and
 * within this process whoever has waited for the writer, or let another one wait.
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
