import { membersOf } from '#shared/json/text/parts.ts'
import { numberText } from './edits.ts'
import { fieldOf } from './field.ts'
import { firstElement, firstValue } from './first-value.ts'
import type { SchemaReader } from './schema-reader.ts'

/**
 * What a value becomes when somebody chooses that it is something else: its members of the same names go along, a text and its number
 * become each other, and everything else begins anew.
 * @param text the value as it is, compact; undefined: there is none
 */
export function switchedValue(reader: SchemaReader, schema: unknown, text: string | undefined): string {
  const { shape } = fieldOf(reader, schema, undefined)
  const first = firstValue(reader, schema)
  if (shape.kind === 'object' && text?.startsWith('{')) {
    const names = shape.properties.map(({ name }) => name)
    return withMembers(first ?? '{}', text, names)
  }
  if (first !== undefined) return first
  const isScalar = text !== undefined && /^["\d-]/.test(text)
  if (shape.kind === 'number') {
    const typed = isScalar ? numberText(String(text.startsWith('"') ? JSON.parse(text) : text)) : '0'
    return typed.startsWith('"') ? '0' : typed
  }
  if (shape.kind === 'boolean') return 'false'
  if (shape.kind === 'choice') return shape.choices[0]?.text ?? 'null'
  if (shape.kind === 'text' && isScalar) return text.startsWith('"') ? text : JSON.stringify(text)
  return firstElement(reader, schema)
}

/** What a new object has stays; of the one before, members of these names are added as they are written. */
function withMembers(first: string, before: string, names: readonly string[]): string {
  const own = membersOf(first)
  const members = [...own].map(([, { keyText, value }]) => `${keyText}:${value}`)
  for (const [name, { keyText, value }] of membersOf(before)) {
    if (names.includes(name) && !own.has(name)) members.push(`${keyText}:${value}`)
  }
  return `{${members.join(',')}}`
}
