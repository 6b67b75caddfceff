import type { DatabaseListener } from '../database-listener.ts'
import { atomicBatchStart } from './postgres-atomic-batch.ts'

/** How long a migration waits for a table at a time. Shorter than the lock wait of services (5 s), which queue behind it. */
export const migrationLockWaitMs = 2_000

/** How a process connects to a database server; `pool` is the most connections it holds. */
export type ServerOptions = {
  url: string
  pool: number
  /** Whether the connection is encrypted and the server's certificate checked. */
  tls: boolean
  /** How long a statement may run, in milliseconds. */
  statementMs: number
  /** PEM text of the certificate authorities to trust; the public ones when it is absent. */
  ca?: string
  listener: DatabaseListener
}

/** Connections that were idle for 30 s are closed. By default Knex would check every second. */
export const poolSettings = { min: 0, reapIntervalMillis: 5_000 }

/** The parts of a URL that a driver needs; the configuration has checked the form of the URL. */
export function addressOf(url: string) {
  const { protocol, hostname, port, username, password, pathname } = new URL(url)
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (protocol === 'mysql:' ? 3306 : 5432)),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
  }
}

/**
 * The memory that the driver and the server keep for a prepared statement grows with its marks (95 KB in MySQL's driver for
 * the longest one here) and with its text, which is long for pages filtered by many tags. Such statements are prepared for
 * one use. Inserts of up to 32 rows of any table stay prepared, and so do atomic batches and all statements whose size is fixed.
 */
export function staysPrepared(text: string, marks: number): boolean {
  return marks <= 500 && (text.length <= 2_000 || text.startsWith('insert ') || text.startsWith(atomicBatchStart))
}
