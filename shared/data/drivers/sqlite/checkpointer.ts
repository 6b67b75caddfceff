import type { Connection } from './connection.ts'

/** The shortest time between two checkpoints; the writer itself keeps the WAL below 64 MiB. */
const checkpointEveryMs = 200
/** The minimum amount written between two checkpoints. A statement that is its own transaction counts as one, regardless of its number of changes. */
const minWritten = 64
/** The weight of a transaction: some contain a thousand items. */
export const transactionWeight = 8

type Checkpointer = {
  /** Runs a checkpoint. */
  checkpoint(): Promise<void>
  /** Records an amount written, and starts a checkpoint if it is worth one, unless one is running or has just started. */
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
