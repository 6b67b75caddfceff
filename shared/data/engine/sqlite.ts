import knex from 'knex'
import { AppError } from '#shared/errors.ts'
import type { Database, Exclusive, Transaction } from '../database.ts'
import { oneByOne } from './in-order.ts'
import { type Connection, openConnection } from './sqlite-connection.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

/** Longest wait for the write lock that another process holds, and most transactions that may wait in this one. */
const lockWaitMs = 5_000
const maxWaiting = 2_000
/** Checkpoints follow writes at this distance; the WAL's bound of 64 MiB is the writer's own. */
const checkpointEveryMs = 200

/**
 * SQLite in WAL with synchronous=FULL: an answered write survives a power cut.
 * One writer per process takes the lock with BEGIN IMMEDIATE and busy_timeout=0, retried from here: SQLite's own busy
 * handler sleeps ever longer and starves a process beside a busy committer (3-13 transactions/s against 114-145).
 */
export async function openSqlite(options: { filename: string; readers: number }): Promise<Database> {
  const build = knex({
    client: 'sqlite3',
    connection: { filename: options.filename },
    useNullAsDefault: true,
    pool: { min: 0, max: options.readers + 2, idleTimeoutMillis: 2 ** 31 - 1 },
  })
  const writer = await openConnection(build, ['busy_timeout=2000', 'journal_mode=WAL', 'synchronous=FULL'])
  await writer.exec('PRAGMA busy_timeout=0; PRAGMA wal_autocheckpoint=16000; PRAGMA journal_size_limit=67108864')
  const readers: Connection[] = []
  for (let n = 0; n < options.readers; n++)
    readers.push(await openConnection(build, ['busy_timeout=2000', 'query_only=1']))

  /** Opened when it is first needed; it never holds the write lock. */
  let checkpointer: Promise<Connection> | undefined
  let checkpointDueAt = 0
  let checkpointing: Promise<void> | null = null
  let closing = false

  async function settle(): Promise<void> {
    checkpointer ??= openConnection(build, ['busy_timeout=0', 'wal_autocheckpoint=0'])
    await (await checkpointer).all('PRAGMA wal_checkpoint(PASSIVE)')
  }

  /** Beside the writer instead of inside a COMMIT, which would keep everybody waiting (p99 42 ms against 12). */
  function checkpointSoon(): void {
    const now = performance.now()
    if (closing || checkpointing || now < checkpointDueAt) return
    checkpointDueAt = now + checkpointEveryMs
    checkpointing = settle()
      .catch(() => {}) // the next one does its work; past its bound a COMMIT does
      .finally(() => {
        checkpointing = null
      })
  }

  const written = <T>(work: (tx: Transaction) => Promise<T>) => queue(() => write(writer, work)).finally(checkpointSoon)
  let turn = 0
  const reader = () => readers[turn++ % readers.length] ?? writer
  const queue = createTurns(maxWaiting)
  const queries: Exclusive = {
    dialect: sqliteDialect,
    build,
    all: (query, bindings) => reader().all(query, bindings),
    get: (query, bindings) => reader().get(query, bindings),
    run: (query, bindings) => written((tx) => tx.run(query, bindings)),
    transaction: written,
  }
  return {
    ...queries,
    exclusively: (work) => work(queries),
    now: async () => Date.now(),
    settle,
    async close() {
      await queue(async () => {})
      closing = true
      await checkpointing
      const others = checkpointer ? [await checkpointer] : []
      for (const connection of [...readers, ...others, writer]) await connection.release()
      await build.destroy()
    },
  }
}

/** One transaction: takes the lock, runs the work, commits; a busy error anywhere starts it over within the bound. */
async function write<T>(connection: Connection, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const giveUpAt = Date.now() + lockWaitMs
  for (;;) {
    try {
      await connection.run('BEGIN IMMEDIATE')
    } catch (error) {
      if (!isBusy(error)) throw error
      if (Date.now() > giveUpAt) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
      await shortWait()
      continue
    }
    try {
      const now = Date.now()
      const result = await work({ ...connection, inOrder: oneByOne, now: async () => now })
      await connection.run('COMMIT')
      return result
    } catch (error) {
      await connection.run('ROLLBACK').catch(() => {}) // SQLite has already rolled back after some errors
      if (!isBusy(error) || Date.now() > giveUpAt) throw error
    }
  }
}

/** Runs tasks one after the other, first come first served; past `bound` waiting ones: SERVICE_UNAVAILABLE. */
function createTurns(bound: number): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return (task) => {
    if (waiting >= bound) return Promise.reject(new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }))
    waiting++
    const result = last.then(task).finally(() => waiting--)
    last = result.catch(() => {})
    return result
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'SQLITE_BUSY' || error.code === 'SQLITE_LOCKED')
}

/** Half a millisecond to a millisecond in the mean: often enough to meet the 1 ms gap a committer leaves. */
function shortWait(): Promise<void> {
  return new Promise((resolve) => (Math.random() < 0.5 ? setImmediate(resolve) : setTimeout(resolve, 1)))
}
