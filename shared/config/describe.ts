import { resolve } from 'node:path'
import { entries } from './entries.ts'
import { type Config, type ConfigOptions, readConfig } from './load.ts'
import { configFileVariable } from './sources/env-name.ts'
import type { Env } from './sources/from-env.ts'
import type { SourceSettings } from './sources/source-settings.ts'

/** A setting with its effective value; of a secret only whether it is set. */
export type DescribedSetting = { key: string; value: unknown; source: string }

/** All settings in the order of the schema, with the source of each value. @throws ConfigError */
export function describeConfig(options: ConfigOptions = {}): DescribedSetting[] {
  const { config, values } = readConfig(options)
  return entries.map(({ key, setting }) => {
    const value = valueAt(config, key)
    const hidden = setting.secret === true && value !== ''
    const source = isDerived(key, values.get(key)?.value)
      ? 'gateway.host, gateway.port'
      : (values.get(key)?.source ?? '')
    return { key, value: hidden ? redacted : value, source }
  })
}

/** The paths of the files that may hold secrets: that of the configuration, and those that variables name. @throws ConfigError */
export function configFiles({ env = process.env, cwd = process.cwd() }: ConfigOptions = {}): string[] {
  const { values } = readConfig({ env, cwd })
  // Certificates of authorities are not secrets.
  const ours = [...values].filter(([key]) => !key.endsWith('.caFile'))
  const variables = new Set([configFileVariable, ...ours.map(([, { source }]) => source)])
  const named = [...variables].filter((name) => name === configFileVariable || name.endsWith('_FILE'))
  return named.flatMap((name) => (env[name] ? [resolve(cwd, env[name])] : []))
}

/**
 * The values of the secret settings, to search for where they must not occur: those of every source, including overridden and invalid
 * ones, and those of variables that may be misspelled secrets.
 */
export function secretValues({ values, errors }: SourceSettings, env: Env): string[] {
  const secretKeys = new Set(entries.filter(({ setting }) => setting.secret === true).map(({ key }) => key))
  const known = values.filter(({ key }) => secretKeys.has(key)).map(({ value }) => String(value))
  const misspelled = errors.flatMap(({ key, value }) => (value === redacted ? [env[key] ?? ''] : []))
  return [...known, ...misspelled].filter((value) => value !== '')
}

/** The placeholder for a secret that is set. */
export const redacted = '[redacted]'

function isDerived(key: string, value: unknown): boolean {
  return key === 'gateway.publicUrl' && value === ''
}

function valueAt(config: Config, key: string): unknown {
  return key.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], config)
}
