import { join, relative } from 'node:path'
import type { Config } from '#shared/config/load.ts'

const wrapper = join(import.meta.dirname, '../../scripts/listd')

/** What `listd start` prints when everything answers: at most 8 lines, and the last one works when pasted. */
export function banner(started: { config: Config; address: string; tookMs: number; cwd: string }): string {
  const { config, address, tookMs, cwd } = started
  const { dataDir } = config
  // Another shell knows nothing of this one's variables: the commands must reach the same database.
  const setting = dataDir === join(cwd, 'data') ? '' : `LISTD_DATA_DIR=${quoted(dataDir)} `
  const listd = `${setting}${quoted(relative(cwd, wrapper))}`
  return [
    `listd is ready after ${(tookMs / 1_000).toFixed(1)} s`,
    `  API            ${address}`,
    `  data           ${dataDir}`,
    `  first account  ${listd} account create --name main`,
    `  first user     ${listd} user create --email you@example.com`,
    `  first token    ${listd} token create --name first --allow-all`,
    `  try it         curl ${address}/health/ready`,
    '',
  ].join('\n')
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
