import { hash, randomBytes } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfThere, writePrivate } from '../private-file.ts'
import { pickPort } from './port.ts'

/** What the nats-server of a data directory is and stays: its name, its port and its password. */
export type NatsIdentity = { serverName: string; port: number; password: string }

/** Where its files are. `config` and `url` hold the password; `pid` is written by the guard. */
export type NatsFiles = { identity: string; config: string; url: string; pid: string }

const user = 'listd'
const mib = 1024 * 1024

/** Reads what the last start left; what is missing or broken is made anew. */
export async function readNatsIdentity(dataDir: string): Promise<NatsIdentity> {
  const kept = parse(await readIfThere(natsFilesOf(dataDir).identity))
  return {
    // Made from the place, so that a copy of a data directory is another server.
    serverName: `listd-${hash('sha256', await realpath(dataDir)).slice(0, 16)}`,
    port: kept?.port ?? (await pickPort()),
    password: kept?.password ?? randomBytes(24).toString('base64url'),
  }
}

/** Writes what it needs, readable by this user only; credentials are in no argument and no environment variable. */
export async function writeNatsFiles(dataDir: string, identity: NatsIdentity): Promise<void> {
  const paths = natsFilesOf(dataDir)
  const { serverName, port, password } = identity
  await writePrivate(paths.identity, JSON.stringify({ port, password }))
  await writePrivate(paths.url, `nats://${user}:${password}@127.0.0.1:${port}\n`)
  await writePrivate(
    paths.config,
    JSON.stringify({
      host: '127.0.0.1',
      port,
      server_name: serverName,
      authorization: { user, password },
      // Room for the one bounded stream (64 MiB), twice while it is made anew.
      jetstream: { store_dir: join(dataDir, 'nats'), max_memory_store: 16 * mib, max_file_store: 256 * mib },
    }),
  )
}

export function natsFilesOf(dataDir: string): NatsFiles {
  return {
    identity: join(dataDir, 'nats-server.json'),
    config: join(dataDir, 'nats-server.conf'),
    url: join(dataDir, 'nats-url'),
    pid: join(dataDir, 'nats-server.pid'),
  }
}

function parse(text: string | null): { port: number; password: string } | null {
  try {
    const { port, password } = JSON.parse(text ?? '{}')
    return Number.isInteger(port) && typeof password === 'string' && password !== '' ? { port, password } : null
  } catch {
    return null
  }
}
