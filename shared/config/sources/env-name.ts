const prefix = 'LISTD_'

/** The variable with the path of a JSON file of settings; not a setting itself. */
export const configFileVariable = `${prefix}CONFIG`

/** The variable with the folder into which the executable unpacks itself; not a setting, because it is read before any. */
export const unpackVariable = `${prefix}UNPACK_DIR`

/**
 * The variables of the commands that call a listd over HTTP (shared/config/remote.ts). Services ignore them, so that one
 * environment serves both.
 */
export const remoteVariables = {
  url: `${prefix}URL`,
  token: `${prefix}TOKEN`,
  tokenFile: `${prefix}TOKEN_FILE`,
  profile: `${prefix}PROFILE`,
} as const

/** The environment variable of a key: `webhooks.allowCidrs` is `LISTD_WEBHOOKS_ALLOW_CIDRS` (contract 4). */
export function envName(key: string): string {
  const words = key.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll('.', '_')
  return prefix + words.toUpperCase()
}

/** The variable with the path of a file that holds a secret. */
export function fileEnvName(key: string): string {
  return `${envName(key)}_FILE`
}

export function isListdVariable(variable: string): boolean {
  return variable.startsWith(prefix)
}
