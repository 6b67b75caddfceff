import { resolve } from 'node:path'
import { ConfigError, type SettingError } from './config-error.ts'
import { crossRuleErrors } from './cross-rules.ts'
import { entries } from './entries.ts'
import { formatValue, mayBeSecret } from './redact.ts'
import type { WrongPart } from './rules.ts'
import type { schema, ValuesOf } from './schema.ts'
import { configFileVariable } from './sources/env-name.ts'
import { type Env, readEnvironment } from './sources/from-env.ts'
import { readConfigFile } from './sources/from-file.ts'
import { type GivenSetting, readGiven } from './sources/from-options.ts'
import type { SettingValue, SourceSettings } from './sources/source-settings.ts'

/** The settings of a process: complete, validated and frozen. */
export type Config = ValuesOf<typeof schema>

const defaultsPath = resolve(import.meta.dirname, '../../config/default.json')

/**
 * The configuration (contract 4): `config/default.json`, overridden by the file of `LISTD_CONFIG`, which environment
 * variables override, which options of the command line override. Paths are absolute.
 * @param options.cwd the base of relative paths
 * @throws ConfigError with all errors of all sources
 */
export function loadConfig(options: ConfigOptions = {}): Config {
  return readConfig(options).config
}

export type ConfigOptions = { env?: Env; cwd?: string; given?: readonly GivenSetting[] }

/** The configuration, and by key the value and source that decided. @throws ConfigError */
export function readConfig(options: ConfigOptions = {}): { config: Config; values: ReadonlyMap<string, SettingValue> } {
  const { cwd = process.cwd() } = options
  const sources = readSources(options)
  const values = new Map(sources.flatMap((source) => source.values).map((one) => [one.key, one]))
  const errors = sources.flatMap((source) => [...source.errors, ...ruleErrors(source.values)])
  if (errors.length === 0) errors.push(...crossRuleErrors(values))
  if (errors.length > 0) throw new ConfigError(errors)
  return { config: assemble(values, cwd), values }
}

/**
 * Reads what is valid of a configuration that may have errors.
 * @returns the settings that their rules accept, with the defaults of all others; every value of every source; the errors of the sources
 */
export function readValidSettings(options: ConfigOptions = {}): { config: Config } & SourceSettings {
  const { cwd = process.cwd() } = options
  const sources = readSources(options)
  const values = sources.flatMap((source) => source.values)
  const accepted = values.filter((one) => ruleErrors([one]).length === 0)
  const config = assemble(new Map(accepted.map((one) => [one.key, one])), cwd)
  return { config, values, errors: sources.flatMap(({ errors }) => errors) }
}

function readSources({ env = process.env, cwd = process.cwd(), given = [] }: ConfigOptions): SourceSettings[] {
  const path = env[configFileVariable]
  return [
    readConfigFile(defaultsPath, 'config/default.json'),
    ...(path ? [readConfigFile(resolve(cwd, path), path, { key: configFileVariable, named: 'the environment' })] : []),
    readEnvironment(env),
    readGiven(given),
  ]
}

/** Overridden values are validated too: an invalid one would otherwise show only when the override is removed. */
function ruleErrors(values: readonly SettingValue[]): SettingError[] {
  return values.flatMap(({ key, value, source }) => {
    const setting = entries.find((entry) => entry.key === key)?.setting
    if (setting === undefined || setting.rule.accepts(value)) return []
    const part = setting.rule.wrongPart?.(value)
    if (part) return [partError(part, { key, source })]
    return [
      {
        key,
        value: formatValue(value, { secret: setting.secret === true }),
        source,
        rule: `must be ${setting.rule.must}`,
      },
    ]
  })
}

function partError(part: WrongPart, { key, source }: Pick<SettingValue, 'key' | 'source'>): SettingError {
  const { path, value, rule, nearest } = part
  const secret = typeof value === 'string' && mayBeSecret(path)
  const described = { key: `${key}.${path}`, value: formatValue(value, { secret }), source, rule }
  return nearest === undefined ? described : { ...described, nearest: `${key}.${nearest}` }
}

/** A `Config`, because every value has passed its rule and `default.json` has every key. */
function assemble(values: ReadonlyMap<string, SettingValue>, cwd: string): Config {
  const config: Record<string, unknown> = {}
  for (const { key, setting } of entries) {
    const value = values.get(key)?.value
    put(config, key, setting.path && value !== '' ? resolve(cwd, String(value)) : value)
  }
  const { gateway } = config as Config
  put(config, 'gateway.publicUrl', gateway.publicUrl === '' ? originOf(gateway) : new URL(gateway.publicUrl).origin)
  return freeze(config) as Config
}

function put(config: Record<string, unknown>, key: string, value: unknown): void {
  const [name = '', ...rest] = key.split('.')
  if (rest.length === 0) {
    config[name] = value
    return
  }
  const group = (config[name] ?? {}) as Record<string, unknown>
  config[name] = group
  put(group, rest.join('.'), value)
}

/** A listener on every address is shown with an address that can be opened on this machine. */
const everyAddress: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

function originOf({ host, port }: { host: string; port: number }): string {
  const shown = everyAddress[host] ?? host
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`
}

function freeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze)
  return value
}
