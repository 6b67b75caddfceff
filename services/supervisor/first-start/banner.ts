import type { Config } from '#shared/config/load.ts'
import type { OwnCommand } from './own-command.ts'

type Started = {
  config: Config
  address: string
  /** Null when there is a user. */
  setupToken: string | null
  tookMs: number
  /** How listd is called from another shell. */
  own: OwnCommand
}

/**
 * What `listd start` prints when every service is ready: at most 8 lines, and one more in a container. The last lines can be pasted
 * into a shell. While there is no user, it has the link that sets up the first one, and the commands that do the same.
 */
export function banner(started: Started): string {
  const { config, address, setupToken, tookMs } = started
  return [
    `listd is ready after ${(tookMs / 1_000).toFixed(1)} s`,
    `  API      ${address}`,
    `  data     ${config.dataDir}`,
    ...(setupToken === null ? browserLines(started) : setupLines(started, setupToken)),
    `  try it   curl ${address}/health/ready`,
    '',
  ].join('\n')
}

/** Set-up opens the dashboard itself. */
function browserLines({ address, config }: Started): string[] {
  return config.gateway.dashboard ? [`  browser  ${address}/dashboard/`] : []
}

/** Browsers do not send the fragment of a URL, so no server logs the token. */
function setupLines({ address, own: { command, fromOutside } }: Started, token: string): string[] {
  return [
    `  set up   ${address}/setup#token=${token}`,
    '           works once, within 30 minutes; or set up with two commands:',
    `           ${command} user create --email you@example.com`,
    `           ${command} token create --allow-all`,
    ...(fromOutside === null ? [] : [`           from outside the container, prefix each with: ${fromOutside}`]),
  ]
}
