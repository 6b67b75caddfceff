import { entries } from './entries.ts'
import { type Config, type ConfigOptions, readConfig } from './load.ts'

/** A setting as it is in force; of a secret only whether it is set. */
export type Described = { key: string; value: unknown; source: string }

/** Every setting in the order of the schema, each with where its value comes from. @throws ConfigError */
export function describeConfig(options: ConfigOptions = {}): Described[] {
  const { config, given } = readConfig(options)
  return entries.map(({ key, setting }) => {
    const value = valueAt(config, key)
    const hidden = setting.secret === true && value !== ''
    const source = isDerived(key, given.get(key)?.value) ? 'gateway.host, gateway.port' : (given.get(key)?.source ?? '')
    return { key, value: hidden ? redacted : value, source }
  })
}

/** In place of a secret that is set. */
export const redacted = '[redacted]'

function isDerived(key: string, given: unknown): boolean {
  return key === 'gateway.publicUrl' && given === ''
}

function valueAt(config: Config, key: string): unknown {
  return key.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], config)
}
