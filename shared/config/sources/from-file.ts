import { readFileSync } from 'node:fs'
import { nearest } from '#shared/domain/text/nearest.ts'
import { isObject } from '#shared/json/is-object.ts'
import { findSyntaxError } from '#shared/json/text/syntax-error.ts'
import type { SettingError } from '../config-error.ts'
import { childOf, entries, groups, isSetting } from '../entries.ts'
import { formatValue, mayBeSecret } from '../redact.ts'
import { type Setting, type SettingTree, schema } from '../schema.ts'
import type { SourceSettings } from './source-settings.ts'

/**
 * Reads settings from a JSON file that has the form of `config/default.json`.
 * @param of.key what names the file, in the source `of.named`
 */
export function readConfigFile(path: string, source: string, of = { key: source, named: source }): SourceSettings {
  const settings: SourceSettings = { values: [], errors: [] }
  const reject = (rule: string) =>
    settings.errors.push({ key: of.key, value: formatValue(path, { secret: false }), source: of.named, rule })
  let content: unknown
  try {
    const text = readFileSync(path, 'utf8')
    const found = describeSyntaxError(text)
    if (found !== null) {
      reject(`is not valid JSON: ${found}`)
      return settings
    }
    content = JSON.parse(text)
  } catch (error) {
    reject(`cannot be read: ${reasonOf(error)}`)
    return settings
  }
  if (isObject(content)) collect({ content, tree: schema, prefix: '', source }, settings)
  else reject('must contain a JSON object')
  return settings
}

/** The error and its place. The parser's own message would quote the surrounding text, which may contain a secret. */
function describeSyntaxError(text: string): string | null {
  const found = findSyntaxError(text, maxDepth)
  if (found === null) return null
  const before = text.slice(0, found.offset).split('\n')
  return `${found.why} (line ${before.length}, column ${(before.at(-1) ?? '').length + 1})`
}

/** More levels than any setting has. */
const maxDepth = 20

type Level = { content: Record<string, unknown>; tree: SettingTree; prefix: string; source: string }

function collect({ content, tree, prefix, source }: Level, settings: SourceSettings): void {
  for (const [name, value] of Object.entries(content)) {
    const key = prefix + name
    const node = childOf(tree, name)
    if (node === undefined) settings.errors.push(unknownKey(key, value, source))
    else if (isSetting(node)) settings.values.push({ key, value, source })
    else if (isObject(value)) collect({ content: value, tree: node, prefix: `${key}.`, source }, settings)
    else settings.errors.push(notGroup(key, value, { source, node }))
  }
}

function unknownKey(key: string, value: unknown, source: string): SettingError {
  const near = nearest(key, [...entries.map((entry) => entry.key), ...groups])
  const secret = mayBeSecret(key) || entries.some((entry) => entry.key === near && entry.setting.secret === true)
  const known = { key, value: formatValue(value, { secret }), source }
  if (near === key) return { ...known, rule: 'is not a known key: write nested objects instead of a dotted name' }
  return { ...known, rule: 'is not a known key', ...(near && { nearest: near }) }
}

function notGroup(
  key: string,
  value: unknown,
  { source, node }: { source: string; node: Setting | SettingTree },
): SettingError {
  const rule = `must be an object with ${Object.keys(node).join(', ')}`
  const hasSecret = entries.some((entry) => entry.key.startsWith(`${key}.`) && entry.setting.secret)
  const secret = mayBeSecret(key) || (hasSecret && typeof value === 'string')
  return { key, value: formatValue(value, { secret }), source, rule }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
  return { ENOENT: 'it does not exist', EISDIR: 'it is a folder', EACCES: 'this user may not read it' }[code] ?? code
}
