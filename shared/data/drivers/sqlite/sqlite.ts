import knex, { type Knex } from 'knex'
import { unavailable } from '#shared/errors.ts'
import { StartError, startExitCodes } from '#shared/lifecycle/start-error.ts'
import type { Database, MigrationQueries, Queries, Transaction } from '../../database.ts'
import { hasCode } from '../../database-errors.ts'
import type { DatabaseListener, StorageFailure } from '../../database-listener.ts'
import { sqliteDialect } from '../../sql/dialects/sqlite.ts'
import { createStorage } from '../../storage.ts'
import { sequential } from '../pipeline.ts'
import { silentLog } from '../silent-log.ts'
import { createAtomicBatch } from './atomic-batch.ts'
import { createCheckpointer, transactionWeight } from './checkpointer.ts'
import { type Connection, isBusy, openConnection } from './connection.ts'
import { watchOthers } from './others.ts'
import { createReaders, type Reads } from './readers.ts'
import { whyUnusable } from './why-unusable.ts'

type SqliteOptions = { filename: string; readers: number; statementMs: number; listener: DatabaseListener }

/** The longest wait for a write lock that another process holds, and the most transactions that may wait in this one. */
const lockWaitMs = 5_000
const maxWaiting = 2_000
/** Connections stay open, so the pool need not check every second for idle ones. */
const forever = 2 ** 31 - 1
/** Characters of statements that a connection keeps prepared: the writer's inserts come in many sizes and compile to little. */
const preparedText = { writer: 1_000_000, reader: 100_000, checkpointer: 1_024 }

/**
 * SQLite in WAL mode with synchronous=FULL: an answered write survives a power cut.
 * One writer per process takes the lock with BEGIN IMMEDIATE, and retries here: SQLite's own busy handler sleeps longer and
 * longer, and starves a process next to a busy committer (3-13 transactions/s against 114-145). It only makes two more attempts,
 * 1 ms apart, before an answer comes back from the thread.
 * @throws Error with a sentence for the operator when the file cannot be used
 */
export async function openSqlite(options: SqliteOptions): Promise<Database> {
  const { statementMs, listener } = options
  const build = knex({
    client: 'sqlite3',
    connection: { filename: options.filename },
    useNullAsDefault: true,
    log: silentLog,
    pool: { min: 0, max: options.readers + 3, idleTimeoutMillis: forever, reapIntervalMillis: forever },
  })
  const writer = await openWriter(build, options.filename)
  const readers = await openReaders(build, options.readers)
  const checkpointing = { pragmas: ['busy_timeout=0', 'wal_autocheckpoint=0'], preparedText: preparedText.checkpointer }
  const { checkpoint, checkpointSoon, ...checkpointer } = createCheckpointer(() => openConnection(build, checkpointing))
  const storage = createStorage({ failureOf, tookTooLong, listener })
  const bounded = (one: Connection) => one.bounded({ ms: statementMs, explain: storage.explain, listener })
  const reads = createReaders((readers.length > 0 ? readers : [writer]).map(bounded), { maxWaitMs: statementMs })
  const others = watchOthers(writer)
  const queue = createSerialQueue(maxWaiting, others.waited)

  async function write<T>(attempt: () => Promise<T>, weight = 1): Promise<T> {
    try {
      return await queue(() => whenFree(attempt))
    } catch (error) {
      throw storage.explain(error)
    } finally {
      checkpointSoon(weight)
    }
  }

  function queriesWith({ all, get }: Reads, within: Queries): MigrationQueries {
    return {
      dialect: sqliteDialect,
      build,
      all,
      get,
      run: (query, bindings) => write(() => within.run(query, bindings)),
      transaction: (work) => write(() => transact(writer, within, work), transactionWeight),
    }
  }
  const within = bounded(writer)
  const atomicBatch = createAtomicBatch(writer, within)
  return {
    ...queriesWith(reads.quick, within),
    long: queriesWith(reads.long, within),
    atomicBatch: (writes) => write(() => atomicBatch(writes)),
    withMigrationLock: (work) => work(queriesWith(readers[0] ?? writer, writer)),
    withSnapshot: (work) => readSnapshot(build, work),
    storage,
    connections: null,
    checkpoint,
    othersWrote: others.wrote,
    now: async () => Date.now(),
    async close() {
      await queue(async () => {})
      await checkpointer.close()
      for (const connection of [...readers, writer]) await connection.release()
      await build.destroy()
    },
  }
}

async function openReaders(build: Knex, count: number): Promise<Connection[]> {
  const reading = { pragmas: ['busy_timeout=2000', 'query_only=1'], preparedText: preparedText.reader }
  const readers: Connection[] = []
  while (readers.length < count) readers.push(await openConnection(build, reading))
  return readers
}

async function openWriter(build: Knex, filename: string): Promise<Connection> {
  const pragmas = ['busy_timeout=2000', 'journal_mode=WAL', 'synchronous=FULL']
  try {
    // Other processes may open a new file at the same time, and SQLite does not wait for the change to WAL mode on its own.
    const writer = await whenFree(() => openConnection(build, { pragmas, preparedText: preparedText.writer }))
    await writer.exec('PRAGMA busy_timeout=2; PRAGMA wal_autocheckpoint=16000; PRAGMA journal_size_limit=67108864')
    return writer
  } catch (error) {
    await build.destroy()
    const reason = (await whyUnusable(error, filename)) ?? reasonOf(error)
    const staysSo = hasCode(error, ['SQLITE_CANTOPEN', 'SQLITE_NOTADB', 'SQLITE_READONLY'])
    const exitCode = staysSo ? startExitCodes.configuration : startExitCodes.tryAgain
    throw new StartError(exitCode, `The database ${filename} cannot be used: ${reason}`)
  }
}

async function readSnapshot<T>(build: Knex, work: (snapshot: Queries) => Promise<T>): Promise<T> {
  const connection = await openConnection(build, { pragmas: ['busy_timeout=2000'], preparedText: preparedText.reader })
  try {
    await connection.exec('BEGIN')
    return await work(connection)
  } finally {
    await connection.exec('ROLLBACK').catch(() => {}) // SQLite has already rolled back after some errors
    await connection.release()
  }
}

/** Retries a write until it no longer meets another process's lock, or `lockWaitMs` have passed. */
async function whenFree<T>(attempt: () => Promise<T>): Promise<T> {
  const giveUpAt = Date.now() + lockWaitMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (Date.now() > giveUpAt) throw unavailable('another process holds the write lock')
      await shortWait()
    }
  }
}

/**
 * One transaction: takes the lock, runs the work and commits.
 * @param within the same connection as the work uses it, with its time limit; a COMMIT is never interrupted
 */
async function transact<T>(connection: Connection, within: Queries, work: (tx: Transaction) => Promise<T>): Promise<T> {
  await connection.run('BEGIN IMMEDIATE')
  try {
    const now = Date.now()
    const result = await work({ ...within, pipeline: sequential, now: async () => now })
    await connection.run('COMMIT')
    return result
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => {}) // SQLite has already rolled back after some errors
    throw error
  }
}

function reasonOf(error: unknown): string {
  if (hasCode(error, ['SQLITE_CANTOPEN'])) return 'its folder does not exist, or this user may not read and write it.'
  if (hasCode(error, ['SQLITE_NOTADB'])) return 'the file is not a SQLite database.'
  const failure = failureOf(error)
  return failure === null ? describe(error) : `${failure} (${describe(error)}).`
}

const describe = (error: unknown) => (error instanceof Error ? error.message : String(error))

const tookTooLong = (error: unknown) => hasCode(error, ['SQLITE_INTERRUPT'])

/** SQLITE_FULL is a full disk; the others are a failing disk or a file without write permission. */
function failureOf(error: unknown): StorageFailure | null {
  if (hasCode(error, ['SQLITE_FULL'])) return 'disk full'
  return hasCode(error, ['SQLITE_IOERR', 'SQLITE_READONLY', 'SQLITE_CANTOPEN']) ? 'not writable' : null
}

/**
 * Runs tasks one after the other, in order; rejects a task with SERVICE_UNAVAILABLE when `bound` tasks are waiting.
 * @param onWait called when a task has to wait for another one
 */
function createSerialQueue(bound: number, onWait: () => void): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return (task) => {
    if (waiting >= bound) return Promise.reject(unavailable('too many writes are waiting'))
    if (waiting++ > 0) onWait()
    const result = last.then(task).finally(() => waiting--)
    last = result.catch(() => {})
    return result
  }
}

/** On average half a millisecond to a millisecond: often enough to hit the 1 ms gap that a committer leaves. */
function shortWait(): Promise<void> {
  return new Promise((resolve) => (Math.random() < 0.5 ? setImmediate(resolve) : setTimeout(resolve, 1)))
}
