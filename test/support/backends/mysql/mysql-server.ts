import { join } from 'node:path'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { findFolderOf } from '../find-program.ts'
import { type LocalServer, startPrivateServer } from '../private-server.ts'
import type { Server } from '../server.ts'

/** Settings that both products support. */
const durableSettings = ['--max-connections=500', '--skip-log-bin']
/** Tests kill processes but not machines, so nothing needs to reach the disk. */
export const mysqlSettings = [
  ...durableSettings,
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-doublewrite=0',
  '--innodb-flush-method=nosync',
]

const sbin = ['/usr/sbin', '/usr/local/sbin']

/**
 * Starts the MariaDB or MySQL of this machine.
 * @param options.durable commits survive a power cut, as in production
 * @returns null when neither is installed
 */
export async function startMysql({ durable = false } = {}): Promise<Server | null> {
  const server = await localMysql(durable ? durableSettings : mysqlSettings)
  if (server === null) return null
  const { port, stop } = await startPrivateServer(server)
  const url = server.urlOf(port)
  return { url, version: await mysqlVersion(url), from: `started from ${server.from}`, stop }
}

/** How to run the MariaDB or MySQL of this machine. @returns null when neither is installed */
export async function localMysql(settings: readonly string[] = mysqlSettings): Promise<LocalServer | null> {
  const mariadb = await findFolderOf(['mariadbd'], sbin)
  const mysql = mariadb === null ? await findFolderOf(['mysqld'], sbin) : null
  if (mariadb !== null)
    return local({
      program: join(mariadb, 'mariadbd'),
      installer: 'mariadb-install-db',
      install: installMariadb,
      settings,
    })
  if (mysql !== null)
    return local({ program: join(mysql, 'mysqld'), installer: join(mysql, 'mysqld'), install: installMysql, settings })
  return null
}

type Install = (store: string) => string[]

const installMariadb: Install = (store) => [
  '--no-defaults',
  `--datadir=${store}`,
  '--auth-root-authentication-method=normal',
  '--skip-test-db',
]

const installMysql: Install = (store) => ['--no-defaults', '--initialize-insecure', `--datadir=${store}`]

type Programs = { program: string; installer: string; install: Install; settings: readonly string[] }

function local({ program, installer, install, settings }: Programs): LocalServer {
  const urlOf = (port: number) => `mysql://root@127.0.0.1:${port}/mysql`
  return {
    urlOf,
    from: program,
    account: 'mysql',
    install: (folder) => [installer, ...install(join(folder, 'store')), `--tmpdir=${folder}`],
    serve: (folder, port) => [
      ...([program, '--no-defaults', `--datadir=${join(folder, 'store')}`, `--port=${port}`] as const),
      // A server deletes temporary tables that it finds at its start, even those of other servers.
      `--tmpdir=${folder}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(folder, 'socket')}`,
      `--pid-file=${join(folder, 'pid')}`,
      ...settings,
    ],
    answer: (port) => mysqlVersion(urlOf(port)),
  }
}

/** @throws Error when no MySQL or MariaDB answers there */
export async function mysqlVersion(url: string): Promise<string> {
  const connection = await createConnection(url)
  const [rows] = await connection.query<RowDataPacket[]>('select version() as version')
  await connection.end()
  const version = String(rows[0]?.version)
  const product = version.includes('MariaDB') ? 'MariaDB' : 'MySQL'
  return `${product} ${version.split('-')[0]}`
}
