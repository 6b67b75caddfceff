import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { searchPath } from '#shared/config/environment.ts'
import type { Config } from '#shared/config/load.ts'

/** What the executable unpacks. */
const ownFolder = join(import.meta.dirname, '../../bin')
/** Where Debian and others install servers that are not on an ordinary user's PATH. */
const serverFolders = ['/usr/local/sbin', '/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin']

/**
 * The nats-server to run: the configured one, the one that came with listd, or the first on PATH.
 * @throws Error with a sentence that says how to install it
 */
export async function findNatsServer(
  config: Config,
  folders: readonly string[] = [ownFolder, ...searchPath(), ...serverFolders],
): Promise<string> {
  const { serverPath } = config.nats
  if (serverPath !== '') {
    if (await isProgram(serverPath)) return serverPath
    throw new Error(`nats.serverPath does not name an executable program: ${serverPath}`)
  }
  for (const folder of folders) {
    const path = join(folder, 'nats-server')
    if (await isProgram(path)) return path
  }
  throw new Error(
    'nats-server was not found: install it ("apt-get install nats-server", "brew install nats-server" or nats.io/download), ' +
      'set LISTD_NATS_SERVER_PATH to its path, or LISTD_NATS_URL to a running server.',
  )
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
