import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { findFolderOf } from '../find-program.ts'
import { type LocalServer, startPrivateServer } from '../private-server.ts'
import type { Server } from '../server.ts'

const durableSettings = ['max_connections=500', 'shared_buffers=128MB']
/** Tests kill processes but not machines, so nothing needs to reach the disk. */
export const postgresSettings = [...durableSettings, 'fsync=off', 'full_page_writes=off']

/**
 * Starts the newest Postgres of this machine.
 * @param options.durable commits survive a power cut, as in production
 * @returns null when it is not installed
 */
export async function startPostgres({ durable = false } = {}): Promise<Server | null> {
  const server = await localPostgres(durable ? durableSettings : postgresSettings)
  if (server === null) return null
  const { port, stop } = await startPrivateServer(server)
  const url = server.urlOf(port)
  return { url, version: await postgresVersion(url), from: `started from ${server.from}`, stop }
}

/** How to run the newest Postgres of this machine. @returns null when it is not installed */
export async function localPostgres(settings: readonly string[] = postgresSettings): Promise<LocalServer | null> {
  const programs = await findFolderOf(['initdb', 'postgres'], await debianFolders())
  if (programs === null) return null
  const urlOf = (port: number) => `postgres://listd@127.0.0.1:${port}/postgres`
  return {
    urlOf,
    from: programs,
    account: 'postgres',
    install: (folder) => [
      join(programs, 'initdb'),
      '-D',
      join(folder, 'store'),
      '-U',
      'listd',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '--no-sync',
    ],
    serve: (folder, port) => [
      join(programs, 'postgres'),
      '-D',
      join(folder, 'store'),
      '-p',
      String(port),
      '-c',
      'listen_addresses=127.0.0.1',
      ...['unix_socket_directories=', ...settings].flatMap((setting) => ['-c', setting]),
    ],
    answer: (port) => postgresVersion(urlOf(port)),
  }
}

/** @throws Error when no Postgres answers there */
export async function postgresVersion(url: string): Promise<string> {
  const client = new Client({ connectionString: url })
  // Without a listener a broken connection would end this process.
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query('show server_version')
  await client.end()
  return `PostgreSQL ${String(rows[0]?.server_version).split(' ')[0]}`
}

/** Debian installs the programs of each version in a separate folder, outside the PATH. */
async function debianFolders(): Promise<string[]> {
  const folder = '/usr/lib/postgresql'
  const versions = await readdir(folder).catch(() => [])
  return versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(folder, version, 'bin'))
}
