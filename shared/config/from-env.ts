import { readFileSync } from 'node:fs'
import type { ConfigFault } from './config-error.ts'
import { type Entry, entries } from './entries.ts'
import { configFileVariable, envName, fileEnvName, isOurs } from './env-name.ts'
import type { Findings } from './findings.ts'
import { nearest } from './nearest.ts'
import { shown, soundsSecret } from './redact.ts'

export type Env = Readonly<Record<string, string | undefined>>

const byVariable = new Map(entries.map((entry) => [envName(entry.key), entry]))
const secretByFileVariable = new Map(
  entries.filter((entry) => entry.setting.secret).map((entry) => [fileEnvName(entry.key), entry]),
)

/** Reads settings from environment variables; a secret's `…_FILE` names the file that holds it. */
export function readEnvironment(env: Env): Findings {
  const findings: Findings = { given: [], faults: [] }
  for (const [variable, text] of Object.entries(env)) {
    if (text === undefined || !isOurs(variable) || variable === configFileVariable) continue
    const entry = byVariable.get(variable)
    const secret = secretByFileVariable.get(variable)
    if (entry) findings.given.push({ key: entry.key, value: readText(entry, text), source: variable })
    else if (secret) readSecret({ entry: secret, variable, path: text, env }, findings)
    else findings.faults.push(unknownVariable(variable, text))
  }
  return findings
}

/** Text that stands for no value is kept as text, so that the rule refuses it and the message shows what was given. */
function readText({ setting }: Entry, text: string): unknown {
  return setting.rule.fromText(text) ?? text
}

function readSecret(from: { entry: Entry; variable: string; path: string; env: Env }, findings: Findings): void {
  const { entry, variable, path, env } = from
  const { key } = entry
  const fault = (rule: string) =>
    findings.faults.push({ key, value: shown(path, { secret: false }), source: variable, rule })
  if (env[envName(key)] !== undefined) {
    fault(`must not be set beside ${envName(key)}`)
    return
  }
  try {
    // Editors and `echo` end a file with a line break that is no part of the secret.
    const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    findings.given.push({ key, value: readText(entry, text), source: variable })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    fault(`must name a file that can be read${code}`)
  }
}

function unknownVariable(variable: string, text: string): ConfigFault {
  const near = nearest(variable, [...byVariable.keys(), ...secretByFileVariable.keys(), configFileVariable])
  const secret = soundsSecret(variable) || (near !== undefined && byVariable.get(near)?.setting.secret === true)
  const value = shown(text, { secret })
  return {
    key: variable,
    value,
    source: 'the environment',
    rule: 'is no known variable',
    ...(near && { nearest: near }),
  }
}
