import { membersOf } from '#shared/json/text/parts.ts'
import { numberText } from './edits.ts'
import { fieldOf } from './field.ts'
import { firstElement, firstValue } from './first-value.ts'
import type { SchemaReader } from './schema-reader.ts'

/**
 * The value after the user chooses another variant. Members with the same names are kept, texts and numbers are converted to each other,
 * and everything else starts with its initial value.
 * @param text the present value, compact; undefined: there is none
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

/** Adds the members of the previous object that have these names, as they are written. The new object's own members stay. */
function withMembers(first: string, before: string, names: readonly string[]): string {
  const own = membersOf(first)
  const members = [...own].map(([, { keyText, value }]) => `${keyText}:${value}`)
  for (const [name, { keyText, value }] of membersOf(before)) {
    if (names.includes(name) && !own.has(name)) members.push(`${keyText}:${value}`)
  }
  return `{${members.join(',')}}`
}
