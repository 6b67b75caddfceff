/** One error of the configuration. `value` contains no secret. */
export type ConfigFault = {
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
  readonly faults: readonly ConfigFault[]

  constructor(faults: readonly ConfigFault[]) {
    super(`the configuration is not valid:\n${faults.map((fault) => `  ${line(fault)}`).join('\n')}`)
    this.faults = faults
  }
}

function line({ key, value, source, rule, nearest }: ConfigFault): string {
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`
  return `${key}: ${value} (from ${source}) ${rule}${hint}`
}
