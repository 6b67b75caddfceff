import { readSettingFile } from '#shared/lifecycle/setting-file.ts'
import { StartError, startExitCodes } from '#shared/lifecycle/start-error.ts'
import type { Database } from './database.ts'
import { databaseFile } from './database-file.ts'
import { type DatabaseListener, silentListener } from './database-listener.ts'
import { openSqlite } from './drivers/sqlite/sqlite.ts'

export type DatabaseOptions = {
  /** Empty: SQLite in the data directory. */
  url: string
  dataDir: string
  /** The most connections to a server. */
  pool?: number
  /** Whether the connections to a server are encrypted and its certificate is checked. */
  tls?: boolean
  /** A PEM file of the certificate authorities to trust; empty: the public ones. */
  caFile?: string
  /** SQLite's read connections, in addition to the writer. */
  readers?: number
  /** How long a statement may run, in milliseconds; then it is ended and its caller gets SERVICE_UNAVAILABLE. */
  statementMs?: number
  /** Receives the events of the database. */
  listener?: DatabaseListener
}

/**
 * Opens the database that `url` names.
 * @throws Error with a sentence for the operator when the kind of URL is not supported or the server cannot be reached
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const {
    url,
    pool = 2,
    readers = Math.min(pool, maxReaders),
    statementMs = 10_000,
    listener = silentListener,
  } = options
  const filename = databaseFile(options)
  if (filename !== null) return openSqlite({ filename, readers, statementMs, listener })
  // The server drivers are loaded on demand: a process with SQLite starts sooner and uses less memory.
  const kind = url.split(':')[0]
  const server = () => ({ url, pool, statementMs, listener, ...security(options) })
  if (kind === 'postgres' || kind === 'postgresql')
    return (await import('./drivers/postgres.ts')).openPostgres(server())
  if (kind === 'mysql') return (await import('./drivers/mysql.ts')).openMysql(server())
  throw new StartError(
    startExitCodes.configuration,
    `database.url names a kind of database that is not supported: ${kind}. Use sqlite:<file>, postgres://… or mysql://….`,
  )
}

/** Each reader costs memory, and more of them would have no cores to use. */
const maxReaders = 4

function security({ tls = false, caFile = '' }: DatabaseOptions): { tls: boolean; ca?: string } {
  return !tls || caFile === '' ? { tls } : { tls, ca: readSettingFile('database.caFile', caFile) }
}
