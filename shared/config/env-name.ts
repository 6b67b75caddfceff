const prefix = 'LISTD_'

/** The variable that names a JSON file of settings; it is no setting itself. */
export const configFileVariable = `${prefix}CONFIG`

/** The environment variable of a key: `webhooks.allowCidrs` is `LISTD_WEBHOOKS_ALLOW_CIDRS` (contract 4). */
export function envName(key: string): string {
  const words = key.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll('.', '_')
  return prefix + words.toUpperCase()
}

/** The variable that names the file a secret is read from. */
export function fileEnvName(key: string): string {
  return `${envName(key)}_FILE`
}

export function isOurs(variable: string): boolean {
  return variable.startsWith(prefix)
}
