import { join, relative } from 'node:path'
import type { Config } from '#shared/config/load.ts'

const wrapper = join(import.meta.dirname, '../../scripts/listd')

type Started = {
  config: Config
  address: string
  /** Null when there is a user. */
  setupToken: string | null
  tookMs: number
  cwd: string
}

/**
 * What `listd start` prints when every service is ready: at most 8 lines, the last of which can be pasted into a shell.
 * While there is no user it has the link that sets up the first one, and the commands that do the same.
 */
export function banner(started: Started): string {
  const { config, address, setupToken, tookMs } = started
  return [
    `listd is ready after ${(tookMs / 1_000).toFixed(1)} s`,
    `  API      ${address}`,
    `  data     ${config.dataDir}`,
    ...(setupToken === null ? [] : setupLines(started, setupToken)),
    `  try it   curl ${address}/health/ready`,
    '',
  ].join('\n')
}

/** Browsers do not send the fragment of a URL, so no server logs the token. */
function setupLines({ config, address, cwd }: Started, token: string): string[] {
  const listd = commandFor(config.dataDir, cwd)
  return [
    `  set up   ${address}/setup#token=${token}`,
    '           works once, within 30 minutes; or set up with two commands:',
    `           ${listd} user create --email you@example.com`,
    `           ${listd} token create --allow-all`,
  ]
}

/** The command names the data directory, because another shell does not have this one's variables. */
function commandFor(dataDir: string, cwd: string): string {
  const setting = dataDir === join(cwd, 'data') ? '' : `LISTD_DATA_DIR=${quoted(dataDir)} `
  return `${setting}${quoted(relative(cwd, wrapper))}`
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
