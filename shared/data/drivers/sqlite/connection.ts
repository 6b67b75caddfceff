import type { Knex } from 'knex'
import { LRUCache } from 'lru-cache'
import type { Database as Handle, Statement } from 'sqlite3'
import type { Queries, Query, Row } from '../../database.ts'
import { hasCode } from '../../database-errors.ts'
import { type DatabaseListener, reportIfSlow } from '../../database-listener.ts'
import { sqliteDialect } from '../../sql/dialects/sqlite.ts'
import { renderQuery } from '../../sql/render.ts'

export type Connection = Queries & {
  /** The same connection, but a statement that takes longer is interrupted (SQLITE_INTERRUPT), and errors are translated. */
  bounded(bounds: Bounds): Queries
  exec(sql: string): Promise<void>
  release(): Promise<void>
}

type Bounds = { ms: number; explain(error: unknown): unknown; listener: DatabaseListener }
type Done<T> = (error: Error | null, result: T) => void
type Use<T> = (statement: Statement, values: readonly unknown[], done: Done<T>) => void

/**
 * A connection that Knex opened, used through the driver's prepared statements: 25,000 reads/s against 16,000 through Knex.
 * @param options.preparedText the most characters of all statements that stay prepared, together
 */
export async function openConnection(
  build: Knex,
  { pragmas, preparedText }: { pragmas: readonly string[]; preparedText: number },
): Promise<Connection> {
  const handle = await openHandle(build, [...pragmas, 'cache_size=-8000', 'temp_store=MEMORY'])
  const unfinished = keepUnfinished()

  async function exec(sql: string): Promise<void> {
    await unfinished.endBefore(null)
    await called((done) => handle.exec(sql, done))
  }
  const statements = createStatements(handle, preparedText)

  function queriesIn(bounds: Bounds | null): Queries {
    async function execute<T>(query: Query, bindings: readonly unknown[] | undefined, use: Use<T>): Promise<T> {
      const { text, bindings: values } = renderQuery(sqliteDialect, query, bindings)
      const statement = await statements.prepare(text)
      await unfinished.endBefore(statement)
      return new Promise((resolve, reject) => {
        // Interrupts whatever the connection executes: this statement, or others of the same transaction.
        const timer = bounds ? setTimeout(() => handle.interrupt(), bounds.ms) : undefined
        const startedAt = performance.now()
        use(statement, values, (error, result) => {
          clearTimeout(timer)
          if (bounds) reportIfSlow(bounds.listener, { text, startedAt, rows: countOf(result) })
          if (isBusy(error)) unfinished.keep(statement)
          statements.used(text, statement)
          if (error) reject(bounds ? bounds.explain(error) : error)
          else resolve(result)
        })
      })
    }

    // Always `all`: the driver's `get` leaves its statement open, and with it a snapshot that blocks the next BEGIN.
    const all = <R = Row>(query: Query, bindings?: readonly unknown[]) =>
      execute<R[]>(query, bindings, (statement, values, done) => statement.all(values, done))
    return {
      dialect: sqliteDialect,
      all,
      get: async <R = Row>(query: Query, bindings?: readonly unknown[]) => (await all<R>(query, bindings))[0],
      run: (query, bindings) =>
        execute<number>(query, bindings, (statement, values, done) => {
          statement.run(values, function (error) {
            done(error, this.changes)
          })
        }),
    }
  }

  return {
    ...queriesIn(null),
    bounded: queriesIn,
    exec,
    async release() {
      await statements.close()
      await build.client.releaseConnection(handle)
    },
  }
}

/** The number of rows that a statement read or changed. */
const countOf = (result: unknown) => (Array.isArray(result) ? result.length : Number(result ?? 0))

/** Acquires a handle of the pool with these settings; it is released if they cannot be applied. */
async function openHandle(build: Knex, pragmas: readonly string[]): Promise<Handle> {
  const handle = (await build.client.acquireConnection()) as Handle
  try {
    await called((done) => handle.exec(pragmas.map((pragma) => `PRAGMA ${pragma};`).join(''), done))
    return handle
  } catch (error) {
    await build.client.releaseConnection(handle)
    throw error
  }
}

/**
 * Prepared statements by their text, the least recently used evicted. The limit counts characters of text, because compiled
 * statements grow with it: to over a megabyte for a page filtered by many tags. Such a long one is prepared for one use.
 */
function createStatements(handle: Handle, maxText: number) {
  const prepared = new LRUCache<string, Promise<Statement>>({
    maxSize: maxText,
    sizeCalculation: (_statement, text) => text.length,
    dispose: (statement) => void statement.then(finalize, () => {}),
  })
  const keeps = (text: string) => text.length <= maxText / 16

  /** Waits for the preparation, because using a statement that could not be prepared never calls back. */
  function start(text: string): Promise<Statement> {
    const { promise, resolve, reject } = Promise.withResolvers<Statement>()
    const statement: Statement = handle.prepare(withOpenLimits(text), (error: Error | null) => {
      if (!error) return resolve(statement)
      prepared.delete(text)
      reject(error)
    })
    if (keeps(text)) prepared.set(text, promise)
    return promise
  }

  return {
    prepare: (text: string) => prepared.get(text) ?? start(text),
    used(text: string, statement: Statement): void {
      if (!keeps(text)) void finalize(statement)
    },
    async close(): Promise<void> {
      for (const statement of [...prepared.values()]) await statement.then(finalize, () => {})
    },
  }
}

/**
 * SQLite compiles a statement again on each execution if a bound value is part of its program, as with a plain `limit ?`: 40 µs of the 135
 * µs for a page of a list. An expression is not part of it.
 */
function withOpenLimits(text: string): string {
  return text.replaceAll(/\blimit \?/gi, 'limit ? + 0')
}

/**
 * Tracks the statement that met another connection's lock. For SQLite it is still running until it is executed again or reset. Until then,
 * no other statement outside of a transaction is committed, and the reset would roll it back.
 */
function keepUnfinished() {
  let unfinished: Statement | null = null
  let ended = Promise.resolve()
  return {
    keep(statement: Statement): void {
      unfinished = statement
    },
    /** @param next the next statement; executing the same one resets it */
    async endBefore(next: Statement | null): Promise<void> {
      const statement = unfinished
      unfinished = null
      if (statement && statement !== next) ended = reset(statement)
      await ended
    },
  }
}

/** Whether a statement met a lock. */
export function isBusy(error: unknown): boolean {
  return hasCode(error, ['SQLITE_BUSY', 'SQLITE_LOCKED'])
}

function reset(statement: Statement): Promise<void> {
  return new Promise((resolve) => statement.reset(() => resolve()))
}

/** Finalizes a statement after it has finished executing. */
function finalize(statement: Statement): Promise<void> {
  return called((done) => statement.finalize(done))
}

function called(call: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => call((error) => (error ? reject(error) : resolve())))
}
