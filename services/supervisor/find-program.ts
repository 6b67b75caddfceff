import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { searchPath } from '#shared/config/environment.ts'
import type { Config } from '#shared/config/load.ts'

/** Debian puts servers where the PATH of an ordinary user does not look. */
const serverFolders = ['/usr/local/sbin', '/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin']

/**
 * The nats-server to run: the configured one, or the first on PATH.
 * @throws Error with a sentence that says how to install it
 */
export async function findNatsServer(
  config: Config,
  folders: readonly string[] = [...searchPath(), ...serverFolders],
): Promise<string> {
  const { serverPath } = config.nats
  if (serverPath !== '') {
    if (await isProgram(serverPath)) return serverPath
    throw new Error(`nats.serverPath names no program that can be run: ${serverPath}`)
  }
  for (const folder of folders) {
    const path = join(folder, 'nats-server')
    if (await isProgram(path)) return path
  }
  throw new Error(
    'nats-server was not found: install it ("apt-get install nats-server", "brew install nats-server" or nats.io/download), ' +
      'name it in LISTD_NATS_SERVER_PATH, or name a running one in LISTD_NATS_URL.',
  )
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
