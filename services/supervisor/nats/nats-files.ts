import { hash, randomBytes } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfExists, writePrivateTogether } from '../private-file.ts'
import { pickPort } from './port.ts'

/** The name and port of a data directory's nats-server, which survive restarts, and the password of this start of listd. */
export type NatsIdentity = { serverName: string; port: number; password: string }

/** The paths of its files. `config` and `url` contain the password; the guard writes `pid`. */
export type NatsFiles = { identity: string; config: string; url: string; pid: string }

const user = 'listd'
const mib = 1024 * 1024

/** A password for one start of listd, so that a leaked password is useless after the next start. */
export function createNatsPassword(): string {
  return randomBytes(24).toString('base64url')
}

/** Reads the values of the last start; a missing or damaged port is chosen again. */
export async function readNatsIdentity(dataDir: string, password: string): Promise<NatsIdentity> {
  return {
    // Derived from the path, so that a copied data directory's server has another name.
    serverName: `listd-${hash('sha256', await realpath(dataDir)).slice(0, 16)}`,
    port: parsePort(await readIfExists(natsFilesOf(dataDir).identity)) ?? (await pickPort()),
    password,
  }
}

/**
 * Writes all its files or none, readable by this user only; no argument or environment variable contains the credentials.
 * @throws the error of the system, with the path
 */
export async function writeNatsFiles(dataDir: string, identity: NatsIdentity): Promise<void> {
  const paths = natsFilesOf(dataDir)
  await writePrivateTogether([
    { path: paths.identity, text: JSON.stringify({ port: identity.port }) },
    { path: paths.url, text: urlOf(identity) },
    { path: paths.config, text: configOf(dataDir, identity) },
  ])
}

/** Whether the existing files start this server on this port, with any password that they agree on. */
export async function areNatsFilesFor(dataDir: string, { serverName, port }: NatsIdentity): Promise<boolean> {
  const paths = natsFilesOf(dataDir)
  const [url, config] = [await readIfExists(paths.url), await readIfExists(paths.config)]
  const { password } = URL.parse(url?.trim() ?? '') ?? { password: '' }
  const kept = { serverName, port, password }
  return password !== '' && url === urlOf(kept) && config === configOf(dataDir, kept)
}

function urlOf({ password, port }: NatsIdentity): string {
  return `nats://${user}:${password}@127.0.0.1:${port}\n`
}

function configOf(dataDir: string, { serverName, port, password }: NatsIdentity): string {
  return JSON.stringify({
    host: '127.0.0.1',
    port,
    server_name: serverName,
    authorization: { user, password },
    // A process whose machine vanishes counts as connected for 9 s at most.
    ping_interval: '3s',
    ping_max: 2,
    // Room for the only stream (at most 64 MiB), which exists twice while it is recreated.
    jetstream: { store_dir: join(dataDir, 'nats'), max_memory_store: 16 * mib, max_file_store: 256 * mib },
  })
}

export function natsFilesOf(dataDir: string): NatsFiles {
  return {
    identity: join(dataDir, 'nats-server.json'),
    config: join(dataDir, 'nats-server.conf'),
    url: join(dataDir, 'nats-url'),
    pid: join(dataDir, 'nats-server.pid'),
  }
}

function parsePort(text: string | null): number | null {
  try {
    const { port } = JSON.parse(text ?? '{}')
    return Number.isInteger(port) ? port : null
  } catch {
    return null
  }
}
