import { resolve } from 'node:path'
import { ConfigError, type ConfigFault } from './config-error.ts'
import { crossFaults } from './cross-rules.ts'
import { entries } from './entries.ts'
import { configFileVariable } from './env-name.ts'
import type { Findings, Given } from './findings.ts'
import { type Env, readEnvironment } from './from-env.ts'
import { readConfigFile } from './from-file.ts'
import { shown } from './redact.ts'
import type { schema, ValuesOf } from './schema.ts'

/** The settings of one process: complete, checked, frozen. */
export type Config = ValuesOf<typeof schema>

const defaultsPath = resolve(import.meta.dirname, '../../config/default.json')

/**
 * The configuration (contract 4): `config/default.json`, overridden by the file that `LISTD_CONFIG` names, overridden by
 * environment variables. Frozen; paths are absolute.
 * @param options.cwd where relative paths count from
 * @throws ConfigError with every fault of every source at once
 */
export function loadConfig(options: ConfigOptions = {}): Config {
  return readConfig(options).config
}

export type ConfigOptions = { env?: Env; cwd?: string }

/** The configuration, and by key which value was given where. @throws ConfigError */
export function readConfig(options: ConfigOptions = {}): { config: Config; given: ReadonlyMap<string, Given> } {
  const { env = process.env, cwd = process.cwd() } = options
  const sources = readSources(env, cwd)
  const given = new Map(sources.flatMap((source) => source.given).map((one) => [one.key, one]))
  const faults = sources.flatMap((source) => [...source.faults, ...ruleFaults(source.given)])
  if (faults.length === 0) faults.push(...crossFaults(given))
  if (faults.length > 0) throw new ConfigError(faults)
  return { config: assemble(given, cwd), given }
}

function readSources(env: Env, cwd: string): Findings[] {
  const path = env[configFileVariable]
  return [
    readConfigFile(defaultsPath, 'config/default.json'),
    ...(path ? [readConfigFile(resolve(cwd, path), path)] : []),
    readEnvironment(env),
  ]
}

/** What is overridden is held against its rule too: a wrong value is a surprise for whoever takes the override away. */
function ruleFaults(given: readonly Given[]): ConfigFault[] {
  return given.flatMap(({ key, value, source }) => {
    const setting = entries.find((entry) => entry.key === key)?.setting
    if (setting === undefined || setting.rule.accepts(value)) return []
    return [
      { key, value: shown(value, { secret: setting.secret === true }), source, rule: `must be ${setting.rule.must}` },
    ]
  })
}

/** Every value has passed its rule and `default.json` names every key, which makes this a `Config`. */
function assemble(given: ReadonlyMap<string, Given>, cwd: string): Config {
  const config: Record<string, unknown> = {}
  for (const { key, setting } of entries) {
    const value = given.get(key)?.value
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

function originOf({ host, port }: { host: string; port: number }): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function freeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze)
  return value
}
