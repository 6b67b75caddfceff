import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { searchPath } from '#shared/config/environment.ts'
import type { Config } from '#shared/config/load.ts'
import { StartError, startExitCodes } from '#shared/lifecycle/start-error.ts'

const root = join(import.meta.dirname, '../../..')
/** The copy in the image, which the executable unpacks too. */
const ownFolder = join(root, 'bin')
/** Where `scripts/setup` stores its download, if PATH has no nats-server or an old one. */
const downloadFolder = join(root, 'node_modules/.cache/nats-server/usr/sbin')
/** Where Debian and others install servers that are not on an ordinary user's PATH. */
const serverFolders = ['/usr/local/sbin', '/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin']

/**
 * The nats-server to run: the configured one, the one that came with listd or was downloaded for it, or the first on PATH.
 * @throws Error with a sentence that says how to install it
 */
export async function findNatsServer(
  config: Config,
  folders: readonly string[] = [ownFolder, downloadFolder, ...searchPath(), ...serverFolders],
): Promise<string> {
  const { serverPath } = config.nats
  if (serverPath !== '') {
    if (await isProgram(serverPath)) return serverPath
    throw new StartError(
      startExitCodes.configuration,
      `nats.serverPath does not name an executable program: ${serverPath}`,
    )
  }
  const path = await firstIn(folders)
  if (path !== null) return path
  throw new StartError(
    startExitCodes.configuration,
    'nats-server was not found: install 2.10 or later (from nats.io/download, or "brew install nats-server"), ' +
      'set LISTD_NATS_SERVER_PATH to its path, or LISTD_NATS_URL to a running server.',
  )
}

/** The nats-server that `scripts/setup` downloaded; null if it did not need to. */
export function downloadedNatsServer(): Promise<string | null> {
  return firstIn([downloadFolder])
}

async function firstIn(folders: readonly string[]): Promise<string | null> {
  for (const folder of folders) {
    const path = join(folder, 'nats-server')
    if (await isProgram(path)) return path
  }
  return null
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
