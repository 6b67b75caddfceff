import type { Connection } from './connection.ts'

/** The shortest time between two checkpoints; the writer itself keeps the WAL below 64 MiB. */
const checkpointEveryMs = 200
/** How much is written between two, where a statement that is its own transaction counts as one, of however many changes. */
const minWritten = 64
/** What a transaction counts: some hold a thousand items. */
export const transactionWeight = 8

type Checkpointer = {
  /** Moves what has been written to its final place. */
  checkpoint(): Promise<void>
  /** Notes that so much was written, and begins a checkpoint when it is worth one, unless one runs or has just begun. */
  checkpointSoon(written: number): void
  close(): Promise<void>
}

/**
 * Checkpoints on another connection instead of inside a COMMIT, which would block all other writes (p99 42 ms against 12).
 * @param open opens that connection, on first use; it never holds the write lock
 */
export function createCheckpointer(open: () => Promise<Connection>): Checkpointer {
  let connection: Promise<Connection> | undefined
  let dueAt = 0
  let unmoved = 0
  let running: Promise<void> | null = null
  let closing = false

  async function checkpoint(): Promise<void> {
    connection ??= open()
    await (await connection).all('PRAGMA wal_checkpoint(PASSIVE)')
  }

  return {
    checkpoint,
    checkpointSoon(written) {
      unmoved += written
      if (closing || running || unmoved < minWritten) return
      const now = performance.now()
      if (now < dueAt) return
      dueAt = now + checkpointEveryMs
      unmoved = 0
      running = checkpoint()
        .catch(() => {}) // the next checkpoint does the work, or a COMMIT when the WAL has reached its limit
        .finally(() => {
          running = null
        })
    },
    async close() {
      closing = true
      await running
      await (await connection)?.release()
    },
  }
}
