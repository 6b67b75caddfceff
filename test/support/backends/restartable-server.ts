import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { testBackend } from '../databases/database.ts'
import { freePort } from '../processes/free-port.ts'
import { processTree, untilStopped } from '../processes/processes.ts'
import type { Certificate } from '../receivers/certificate.ts'
import type { Teardown } from '../test-context/teardown.ts'
import { localMysql } from './mysql/mysql-server.ts'
import { localPostgres } from './postgres/postgres-server.ts'
import { addPrivateFile, type LocalServer, makeStore, type Store, serve } from './private-server.ts'
import { databasesOf, newTemplateUrl } from './test-databases.ts'

/** A database server for a single test, which can crash and restart, or hang. */
export type RestartableServer = {
  /** The URL of an empty database. */
  url: string
  /** Ends it like a crash. */
  kill(): Promise<void>
  /** Starts it again at the same address, on the same store. */
  start(): Promise<void>
  /** Freezes it. */
  freeze(): Promise<void>
  thaw(): void
}

/** The kind of server that tests run on, from this machine's programs; null: for SQLite, or if the programs are missing. */
export const localServer: LocalServer | null =
  testBackend === 'sqlite' ? null : await (testBackend === 'postgres' ? localPostgres() : localMysql())

/** Starts a server for one test; it is removed when the test ends. @param certificate for TLS */
export async function restartableServer(
  t: Teardown,
  server: LocalServer,
  certificate?: Certificate,
): Promise<RestartableServer> {
  const store = await makeStore(server)
  const more = [...careful, ...(certificate ? await secured(store, certificate) : [])]
  const port = await freePort()
  const serving = {
    ...server,
    serve: (folder: string, port: number) => [...server.serve(folder, port), ...more] as const,
  }
  const start = () => serve(serving, { ...store, port, removed: join(store.folder, 'nothing') })
  let running = await start()
  const signal = (name: NodeJS.Signals) => {
    const processes = processTree(running.pid).filter(({ command }) => !command.includes('guard.sh'))
    for (const { pid } of processes) trySignal(pid, name)
    return processes.map(({ pid }) => pid)
  }
  t.teardown(async () => {
    signal('SIGCONT')
    await running.stop()
    await rm(store.folder, { recursive: true, force: true, maxRetries: 20 })
  })
  const url = newTemplateUrl(server.urlOf(port))
  await databasesOf(url).createTemplate()
  return {
    url,
    async kill() {
      signal('SIGKILL')
      await running.stop()
    },
    async start() {
      running = await start()
    },
    freeze: () => untilStopped(signal('SIGSTOP')),
    thaw: () => void signal('SIGCONT'),
  }
}

/** Commits must outlive the process; Postgres ensures that even if nothing is synced. */
const careful = testBackend === 'mysql' ? ['--innodb-flush-log-at-trx-commit=2'] : []

async function secured(store: Store, { cert, key }: Certificate): Promise<string[]> {
  const paths = [await addPrivateFile(store, 'cert.pem', cert), await addPrivateFile(store, 'key.pem', key)]
  if (testBackend === 'mysql') return [`--ssl-cert=${paths[0]}`, `--ssl-key=${paths[1]}`]
  return ['-c', 'ssl=on', '-c', `ssl_cert_file=${paths[0]}`, '-c', `ssl_key_file=${paths[1]}`]
}

/** The process may just have ended. */
function trySignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {}
}
