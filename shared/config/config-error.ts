/** One error of the configuration. `value` contains no secret. */
export type SettingError = {
  key: string
  value: string
  /** The environment variable or file the value comes from. */
  source: string
  /** The end of a sentence: "must be …". */
  rule: string
  nearest?: string
}

/** All errors of the configuration, one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly errors: readonly SettingError[]

  constructor(errors: readonly SettingError[]) {
    super(`the configuration is not valid:\n${errors.map((error) => `  ${line(error)}`).join('\n')}`)
    this.errors = errors
  }
}

function line({ key, value, source, rule, nearest }: SettingError): string {
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`
  return `${key}: ${value} (from ${source}) ${rule}${hint}`
}
