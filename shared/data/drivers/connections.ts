import { setTimeout as pause } from 'node:timers/promises'
import type { Knex } from 'knex'
import { AppError, unavailable } from '#shared/errors.ts'
import { backOffMs } from '#shared/time/back-off.ts'
import { withStepLimit } from '#shared/time/time-limit.ts'
import type { DatabaseListener } from '../database-listener.ts'

/** How long work is retried, and the pauses between two attempts. */
const retryForMs = 5_000
const backOff = { firstMs: 2, longestMs: 40, randomPart: 1 }
/** How much longer than the server's statement timeout an answer may take: a server that hangs enforces no timeout. */
const graceMs = 2_000

class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

function noAnswer(): never {
  throw new NoAnswer('the server did not answer in time')
}

/** The meaning of a driver's errors. */
export type ErrorKinds = {
  /** Whether the transaction was rolled back for a transient reason, so that a retry may succeed. */
  isTransient(error: unknown): boolean
  /** Whether the connection is broken or could not be opened. */
  isLost(error: unknown): boolean
}

type ConnectionsOptions = {
  errors: ErrorKinds
  statementMs: number
  /** Returns the error to throw when work fails for good. */
  explain(error: unknown): unknown
  listener: DatabaseListener
}

/** Why a server cannot be used, in the words of its driver, without the password. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Knex reports a server that does not answer as an exhausted pool.
  return error.name === 'KnexTimeoutError' ? 'it does not answer' : error.message || String(Object(error).code)
}

/** The connection broke after a statement was sent that may have been executed, so it is not sent again. */
export class UnknownOutcome extends AppError {
  /** How it broke. */
  readonly broken: unknown

  constructor(broken: unknown) {
    super('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1, reason: 'the connection broke: the outcome is unknown' })
    this.broken = broken
  }
}

/** The pooled connections to a server. */
export class Connections<C extends object> {
  readonly #pool: Knex
  readonly #errors: ErrorKinds
  readonly #statementMs: number
  /** Returns the error to throw when work fails for good. */
  readonly explain: (error: unknown) => unknown
  readonly #listener: DatabaseListener
  /** Why connections cannot be opened or break; null while they work. */
  #lostBy: string | null = null
  readonly #answers = new WeakMap<C, number>()

  constructor(pool: Knex, options: ConnectionsOptions) {
    this.#pool = pool
    this.#errors = options.errors
    this.#statementMs = options.statementMs
    this.explain = options.explain
    this.#listener = options.listener
  }

  async acquire(): Promise<C> {
    try {
      return (await this.#pool.client.acquireConnection()) as C
    } catch (error) {
      if (this.#isExhausted()) throw unavailable('all connections to the database are in use')
      throw unavailable(this.#recordLost(error))
    }
  }

  /** A broken connection is marked, so that the pool replaces it. */
  async release(connection: C, lost: boolean): Promise<void> {
    if (lost) Object.assign(connection as object, { __knex__disposed: 'lost' })
    await this.#pool.client.releaseConnection(connection)
  }

  /** Records that the server answered, so that only a single statement without an answer times out, not work with many statements. */
  answered(connection: C): void {
    this.#answers.set(connection, this.#answersOn(connection) + 1)
  }

  /** The use of connections: the maximum, those in use, and the requests that wait. */
  usage(): { limit: number; used: number; waiting: number } {
    const { pool } = this.#pool.client
    return { limit: pool.max, used: pool.numUsed(), waiting: pool.numPendingAcquires() }
  }

  #isExhausted(): boolean {
    const { limit, used } = this.usage()
    return this.#lostBy === null && used >= limit
  }

  #recordLost(error: unknown): string {
    const reason = reasonOf(error)
    if (reason !== this.#lostBy) this.#listener.lost(reason)
    this.#lostBy = reason
    return `the database is unavailable: ${reason}`
  }

  #recordAnswer(): void {
    if (this.#lostBy === null) return
    this.#lostBy = null
    this.#listener.connected()
  }

  #answersOn(connection: C): number {
    return this.#answers.get(connection) ?? 0
  }

  isLost(error: unknown): boolean {
    return error instanceof NoAnswer || this.#errors.isLost(error)
  }

  /** Runs work on its own connection, and retries it while that can help. */
  async attempt<T>(work: (connection: C) => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + retryForMs
    const ms = this.#statementMs + graceMs
    for (let failures = 0; ; failures++) {
      const connection = await this.acquire()
      let lost = false
      try {
        const steps = () => this.#answersOn(connection)
        const result = await withStepLimit(work(connection), { ms, steps, late: noAnswer })
        this.#recordAnswer()
        return result
      } catch (error) {
        const isUnknown = error instanceof UnknownOutcome
        lost = isUnknown || this.isLost(error)
        const reason = lost
          ? this.#recordLost(isUnknown ? error.broken : error)
          : 'locks of other transactions were not released in time'
        if (isUnknown) throw error
        if (!lost && !this.#errors.isTransient(error)) throw this.explain(error)
        if (performance.now() > giveUpAt) throw unavailable(reason)
      } finally {
        await this.release(connection, lost)
      }
      await pause(backOffMs(backOff, failures))
    }
  }
}
