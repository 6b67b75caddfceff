/** Why a database cannot store anything; the words are shown to clients. */
export type StorageFailure = 'disk full' | 'not writable' | 'no rights'

/** What a database tells whoever opened it, for a log. */
export type DatabaseListener = {
  /** Connections cannot be opened or break; called again when the reason changes. */
  lost(reason: string): void
  /** Something was answered again. */
  connected(): void
  /** Nothing can be stored any more; null: it can again. */
  storage(failure: StorageFailure | null): void
  slow(statement: SlowStatement): void
}

/** A statement without its values; `rows` are those that it read or changed. */
export type SlowStatement = { text: string; durationMs: number; rows: number }

export const silentListener: DatabaseListener = { lost() {}, connected() {}, storage() {}, slow() {} }

/** A statement that takes longer is reported; waiting for a lock counts. */
const slowMs = 1_000

/** Tells of a statement that has taken long. @param startedAt of `performance.now()` */
export function tellIfSlow(
  listener: DatabaseListener,
  { text, startedAt, rows }: { text: string; startedAt: number; rows: number },
): void {
  const durationMs = performance.now() - startedAt
  if (durationMs >= slowMs) listener.slow({ text, durationMs, rows })
}
