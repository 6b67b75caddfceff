import { readFileSync } from 'node:fs'
import { nearest } from '#shared/domain/text/nearest.ts'
import type { SettingError } from '../config-error.ts'
import { type Entry, entries } from '../entries.ts'
import { formatValue, mayBeSecret } from '../redact.ts'
import {
  configFileVariable,
  envName,
  fileEnvName,
  isListdVariable,
  remoteVariables,
  unpackVariable,
} from './env-name.ts'
import type { SourceSettings } from './source-settings.ts'

export type Env = Readonly<Record<string, string | undefined>>

const byVariable = new Map(entries.map((entry) => [envName(entry.key), entry]))
const secretByFileVariable = new Map(
  entries.filter((entry) => entry.setting.secret).map((entry) => [fileEnvName(entry.key), entry]),
)

/** Known variables that are not settings. */
const others: readonly string[] = [configFileVariable, unpackVariable, ...Object.values(remoteVariables)]

/** Reads settings from environment variables; a secret's `…_FILE` names the file that holds it. */
export function readEnvironment(env: Env): SourceSettings {
  const settings: SourceSettings = { values: [], errors: [] }
  for (const [variable, text] of Object.entries(env)) {
    if (text === undefined || !isListdVariable(variable) || others.includes(variable)) continue
    const entry = byVariable.get(variable)
    const secret = secretByFileVariable.get(variable)
    if (entry) settings.values.push({ key: entry.key, value: readText(entry, text), source: variable })
    else if (secret) readSecret({ entry: secret, variable, path: text, env }, settings)
    else settings.errors.push(unknownVariable(variable, text))
  }
  return settings
}

/** Text that cannot be parsed is kept as text, so that the rule rejects it and the message shows it. */
function readText({ setting }: Entry, text: string): unknown {
  return setting.rule.fromText(text) ?? text
}

function readSecret(from: { entry: Entry; variable: string; path: string; env: Env }, settings: SourceSettings): void {
  const { entry, variable, path, env } = from
  const { key } = entry
  const reject = (rule: string) =>
    settings.errors.push({ key, value: formatValue(path, { secret: false }), source: variable, rule })
  if (env[envName(key)] !== undefined) {
    reject(`must not be set together with ${envName(key)}`)
    return
  }
  try {
    // Editors and `echo` end a file with a line break that is not part of the secret.
    const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    settings.values.push({ key, value: readText(entry, text), source: variable })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    reject(`must be the path of a readable file${code}`)
  }
}

function unknownVariable(variable: string, text: string): SettingError {
  const near = nearest(variable, [...byVariable.keys(), ...secretByFileVariable.keys(), ...others])
  const isSecretNear = near !== undefined && byVariable.get(near)?.setting.secret === true
  const secret = mayBeSecret(variable) || isSecretNear || isGroupWithSecret(variable)
  const value = formatValue(text, { secret })
  return {
    key: variable,
    value,
    source: 'the environment',
    rule: 'is not a known variable',
    ...(near && { nearest: near }),
  }
}

/** Whether the variable is named like settings of which one is a secret: `LISTD_ADMIN`. */
function isGroupWithSecret(variable: string): boolean {
  return [...secretByFileVariable.keys()].some((known) => known.startsWith(`${variable}_`))
}
