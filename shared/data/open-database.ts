import { readFile } from 'node:fs/promises'
import type { Database } from './database.ts'
import { openSqlite } from './drivers/sqlite/sqlite.ts'

export type DatabaseOptions = {
  /** Empty: SQLite in the data directory. */
  url: string
  dataDir: string
  /** Most connections to a server. */
  pool?: number
  /** Whether the connections to a server are encrypted and its certificate is checked. */
  tls?: boolean
  /** A PEM file of the certificate authorities that are believed then; empty: the public ones. */
  caFile?: string
  /** SQLite's connections for reads beside the writer. */
  readers?: number
  /** How long a statement may run, in milliseconds; whoever asked is then answered SERVICE_UNAVAILABLE. */
  statementMs?: number
}

/**
 * Opens the database that `url` names.
 * @throws Error with one sentence when the url is of no kind this version knows, or the server cannot be reached
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, pool = 2, readers = Math.min(pool, maxReaders), statementMs = 10_000 } = options
  const filename = databaseFile(options)
  if (filename !== null) return openSqlite({ filename, readers, statementMs })
  // The drivers are loaded only where they are needed: a process with SQLite starts sooner and stays smaller.
  const kind = url.split(':')[0]
  const server = async () => ({ url, pool, statementMs, ...(await security(options)) })
  if (kind === 'postgres' || kind === 'postgresql')
    return (await import('./drivers/postgres.ts')).openPostgres(await server())
  if (kind === 'mysql') return (await import('./drivers/mysql.ts')).openMysql(await server())
  throw new Error(
    `database.url names a kind of database that is not supported: ${kind}. Use sqlite:<file>, postgres://… or mysql://….`,
  )
}

/** A reader costs memory, and there are no more cores that it could use. */
const maxReaders = 4

async function security({ tls = false, caFile = '' }: DatabaseOptions): Promise<{ tls: boolean; ca?: string }> {
  if (!tls || caFile === '') return { tls }
  const ca = await readFile(caFile, 'utf8').catch((error) => {
    throw new Error(`database.caFile cannot be read: ${caFile} (${error.code}).`)
  })
  return { tls, ca }
}

/** The file of a SQLite database, there or not; null for a database of another kind. */
export function databaseFile({ url, dataDir }: { url: string; dataDir: string }): string | null {
  if (url === '') return `${dataDir}/listd.db`
  return url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : null
}
