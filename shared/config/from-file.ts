import { readFileSync } from 'node:fs'
import type { ConfigFault } from './config-error.ts'
import { childOf, entries, groups, isSetting } from './entries.ts'
import type { Findings } from './findings.ts'
import { nearest } from './nearest.ts'
import { shown, soundsSecret } from './redact.ts'
import { type Setting, type SettingTree, schema } from './schema.ts'

/** Reads settings from a JSON file in the shape of `config/default.json`. */
export function readConfigFile(path: string, source: string): Findings {
  const findings: Findings = { given: [], faults: [] }
  const fault = (rule: string) =>
    findings.faults.push({ key: source, value: shown(path, { secret: false }), source, rule })
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    fault(error instanceof SyntaxError ? `is not valid JSON: ${error.message}` : `cannot be read: ${codeOf(error)}`)
    return findings
  }
  if (isGroup(content)) collect({ content, tree: schema, prefix: '', source }, findings)
  else fault('must hold a JSON object')
  return findings
}

type Level = { content: Record<string, unknown>; tree: SettingTree; prefix: string; source: string }

function collect({ content, tree, prefix, source }: Level, findings: Findings): void {
  for (const [name, value] of Object.entries(content)) {
    const key = prefix + name
    const node = childOf(tree, name)
    if (node === undefined) findings.faults.push(unknownKey(key, value, source))
    else if (isSetting(node)) findings.given.push({ key, value, source })
    else if (isGroup(value)) collect({ content: value, tree: node, prefix: `${key}.`, source }, findings)
    else findings.faults.push(notGroup(key, value, { source, node }))
  }
}

function unknownKey(key: string, value: unknown, source: string): ConfigFault {
  const near = nearest(key, [...entries.map((entry) => entry.key), ...groups])
  const secret = soundsSecret(key) || entries.some((entry) => entry.key === near && entry.setting.secret === true)
  const known = { key, value: shown(value, { secret }), source }
  if (near === key) return { ...known, rule: 'is no known key: a dot in its name means an object within an object' }
  return { ...known, rule: 'is no known key', ...(near && { nearest: near }) }
}

function notGroup(
  key: string,
  value: unknown,
  { source, node }: { source: string; node: Setting | SettingTree },
): ConfigFault {
  const rule = `must be an object with ${Object.keys(node).join(', ')}`
  return { key, value: shown(value, { secret: soundsSecret(key) }), source, rule }
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
}
