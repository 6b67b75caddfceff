import { isUtf8 } from 'node:buffer'
import { findSyntaxError } from '#shared/json/syntax-error.ts'
import { compactJson, type JsonScan, scanJson } from '#shared/json/text.ts'
import { AppError } from '../../errors.ts'
import { maxJsonDepth } from '../limits.ts'

type ReadJsonOptions = {
  /** Nested objects and arrays, the outermost one included. */
  maxDepth?: number
  /** Top-level properties whose source text is returned too. */
  textOf?: readonly string[]
}

type ReadJson = {
  /** For validation only: big numbers have lost digits, integer-like keys their order. `__proto__` is an own property. */
  value: unknown
  /** The compact source text of those properties that exist: key order and the text of numbers as sent. */
  text: Record<string, string>
}

/**
 * Reads a request body: strict UTF-8 without a byte order mark, RFC 8259, no repeated key in any object, no half of a
 * surrogate pair, bounded nesting (contract 1.1). Numbers that a double cannot hold are kept in the text; in the value
 * they are the nearest double, beyond its range ±Infinity.
 *
 * Repeated keys are found without a set of keys: `JSON.parse` drops them, so the text has more members than the value.
 *
 * @throws AppError MALFORMED_JSON with reason and place; `details` has line and column (from 1, in UTF-16 units), or the
 *   byte offset of invalid UTF-8. An empty body is malformed here; its meaning is up to the caller.
 */
export function readJson(body: Uint8Array, { maxDepth, textOf = [] }: ReadJsonOptions = {}): ReadJson {
  const { value, ...source } = parseBody(body, maxDepth)
  return { value, text: sourceTexts(source, textOf) }
}

/** The same for a body that is kept as a whole, whatever its kind: `text` is its compact source text. */
export function readJsonText(body: Uint8Array): { value: unknown; text: string } {
  const { value, bytes, scan } = parseBody(body)
  return { value, text: compactJson(bytes, 0, bytes.length, scan.spaces) }
}

type Source = { bytes: Buffer; text: string; scan: JsonScan }

function parseBody(body: Uint8Array, maxDepth = maxJsonDepth): Source & { value: unknown } {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (!isUtf8(bytes)) throw malformedUtf8(bytes)
  const text = bytes.toString('utf8')
  const scan = scanJson(bytes)
  if (scan.depth > maxDepth || scan.loneSurrogate) throw malformed(text, maxDepth)
  const value = parse(text, maxDepth)
  if (countMembers(value) !== scan.memberCount) throw malformed(text, maxDepth)
  return { value, bytes, text, scan }
}

function parse(text: string, maxDepth: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The engine's message quotes the body and often has no position.
    throw malformed(text, maxDepth)
  }
}

/** Members of all objects in a parsed value. `for … in` also lists an own `__proto__`. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const element of value) if (typeof element === 'object') count += countMembers(element)
    return count
  }
  const members = value as Record<string, unknown>
  for (const key in members) {
    count++
    const member = members[key]
    if (typeof member === 'object') count += countMembers(member)
  }
  return count
}

function sourceTexts({ bytes, text, scan }: Source, textOf: readonly string[]): Record<string, string> {
  const texts: Record<string, string> = {}
  if (textOf.length === 0) return texts
  // In ASCII, bytes and UTF-16 units have the same offsets, so a compact value is a slice of the text.
  const ascii = text.length === bytes.length
  for (const { keyStart, keyEnd, valueStart, valueEnd, spaces } of scan.members) {
    const key = bytes.toString('utf8', keyStart, keyEnd)
    const name: string = key.includes('\\') ? JSON.parse(key) : key.slice(1, -1)
    if (!textOf.includes(name)) continue
    texts[name] =
      ascii && spaces === 0 ? text.slice(valueStart, valueEnd) : compactJson(bytes, valueStart, valueEnd, spaces)
  }
  return texts
}

function malformed(text: string, maxDepth: number): Error {
  const error = findSyntaxError(text, maxDepth)
  if (error === null) return new Error('JSON was rejected without a syntax error')
  const before = text.slice(0, error.offset)
  const line = before.split('\n').length
  const column = error.offset - before.lastIndexOf('\n')
  const message = `The body is not well-formed JSON: ${error.why} (line ${line}, column ${column}).`
  return new AppError('MALFORMED_JSON', { message, details: { line, column } })
}

function malformedUtf8(bytes: Buffer): AppError {
  // Decoding replaces invalid bytes, and only those, so the first difference is the place.
  const repaired = Buffer.from(bytes.toString('utf8'))
  let offset = 0
  while (bytes[offset] === repaired[offset]) offset++
  const message = `The body is not well-formed JSON: it is not UTF-8 (byte ${offset}).`
  return new AppError('MALFORMED_JSON', { message, details: { offset } })
}
