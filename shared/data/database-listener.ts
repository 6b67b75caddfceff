/** Why a database cannot store anything; the words are shown to clients. */
export type StorageFailure = 'disk full' | 'not writable' | 'no rights'

/** Events of a database, for the log of the process that opened it. */
export type DatabaseListener = {
  /** Connections cannot be opened or break; called again when the reason changes. */
  lost(reason: string): void
  /** The database answers again. */
  connected(): void
  /** The database cannot store anything; null: it can again. */
  storage(failure: StorageFailure | null): void
  slow(statement: SlowStatement): void
}

/** A statement without its values; `rows` are those that it read or changed. */
export type SlowStatement = { text: string; durationMs: number; rows: number }

export const silentListener: DatabaseListener = { lost() {}, connected() {}, storage() {}, slow() {} }

/** A statement that takes longer is reported; waiting for a lock counts. */
const slowMs = 1_000

/** Reports a slow statement. @param startedAt of `performance.now()` */
export function reportIfSlow(
  listener: DatabaseListener,
  { text, startedAt, rows }: { text: string; startedAt: number; rows: number },
): void {
  const durationMs = performance.now() - startedAt
  if (durationMs >= slowMs) listener.slow({ text, durationMs, rows })
}
