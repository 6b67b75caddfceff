/** Finds where and why JSON text is malformed. Slow and exact: the server runs it only after item/data.ts rejected the text. */

import { resultOf } from './result-of.ts'

export type JsonSyntaxError = { /** UTF-16 units from the start of the text. */ offset: number; why: string }

type Cursor = { readonly text: string; at: number; readonly maxDepth: number; values: number }

type Finding = Generator<undefined, JsonSyntaxError | null>

/**
 * The first error by RFC 8259 and our own rules: no repeated key in an object, no half of a surrogate pair, at most
 * `maxDepth` nested levels. Null when the text is valid.
 */
export function findSyntaxError(text: string, maxDepth: number): JsonSyntaxError | null {
  return resultOf(findSyntaxErrorInSteps(text, maxDepth))
}

/** The same in steps of some values each. */
export function* findSyntaxErrorInSteps(text: string, maxDepth: number): Finding {
  const cursor: Cursor = { text, at: 0, maxDepth, values: 0 }
  const syntaxError = yield* readValue(cursor, 1)
  if (syntaxError !== null) return syntaxError
  skipSpace(cursor)
  return cursor.at === text.length ? null : unexpected(cursor, 'the end')
}

/** The end of the value that begins at `from`, or after white space there; or the first error in it. */
export function readValueAt(text: string, from: number, maxDepth: number): { end: number } | JsonSyntaxError {
  const cursor = { text, at: from, maxDepth, values: 0 }
  return resultOf(readValue(cursor, 1)) ?? { end: cursor.at }
}

const valuesInStep = 1_000

function* readValue(cursor: Cursor, level: number): Finding {
  if (++cursor.values % valuesInStep === 0) yield
  skipSpace(cursor)
  const char = cursor.text[cursor.at]
  if (char === '{' || char === '[') {
    if (level > cursor.maxDepth) return errorAt(cursor, `nested deeper than ${cursor.maxDepth} levels`)
    return yield* char === '{' ? readObject(cursor, level) : readArray(cursor, level)
  }
  if (char === '"') return readString(cursor)
  return take(cursor, scalar) === null ? unexpected(cursor, 'a value') : null
}

function* readObject(cursor: Cursor, level: number): Finding {
  cursor.at++
  if (takeChar(cursor, '}')) return null
  const keys = new Set<string>()
  for (;;) {
    const found = readKey(cursor, keys) ?? (yield* readValue(cursor, level + 1))
    if (found !== null) return found
    if (takeChar(cursor, '}')) return null
    if (!takeChar(cursor, ',')) return unexpected(cursor, 'a comma or the end of the object')
  }
}

function readKey(cursor: Cursor, keys: Set<string>): JsonSyntaxError | null {
  skipSpace(cursor)
  const start = cursor.at
  if (cursor.text[start] !== '"') return unexpected(cursor, 'a key in double quotes')
  const found = readString(cursor)
  if (found !== null) return found
  const key: string = JSON.parse(cursor.text.slice(start, cursor.at))
  if (keys.has(key)) return { offset: start, why: 'a key is repeated in one object' }
  keys.add(key)
  return takeChar(cursor, ':') ? null : unexpected(cursor, 'a colon')
}

function* readArray(cursor: Cursor, level: number): Finding {
  cursor.at++
  if (takeChar(cursor, ']')) return null
  for (;;) {
    const found = yield* readValue(cursor, level + 1)
    if (found !== null) return found
    if (takeChar(cursor, ']')) return null
    if (!takeChar(cursor, ',')) return unexpected(cursor, 'a comma or the end of the array')
  }
}

function readString(cursor: Cursor): JsonSyntaxError | null {
  cursor.at++
  for (;;) {
    take(cursor, plainText)
    const char = cursor.text[cursor.at]
    if (char === '"') {
      cursor.at++
      return null
    }
    if (char === undefined) return errorAt(cursor, 'a string is not closed')
    if (char !== '\\') return errorAt(cursor, 'a control character in a string')
    const escaped = take(cursor, escapeSequence)
    if (escaped === null) return errorAt(cursor, 'an escape that JSON does not have')
    if (!JSON.parse(`"${escaped}"`).isWellFormed()) {
      cursor.at -= escaped.length
      return errorAt(cursor, 'half of a surrogate pair')
    }
  }
}

const scalar = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings.
const plainText = /[^"\\\u0000-\u001f]*/y
const escapeSequence = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\["\\/bfnrt]/y
const whiteSpace = /[ \t\n\r]*/y

function take(cursor: Cursor, pattern: RegExp): string | null {
  pattern.lastIndex = cursor.at
  const taken = pattern.exec(cursor.text)?.[0] ?? null
  if (taken !== null) cursor.at += taken.length
  return taken
}

function takeChar(cursor: Cursor, char: string): boolean {
  skipSpace(cursor)
  if (cursor.text[cursor.at] !== char) return false
  cursor.at++
  return true
}

function skipSpace(cursor: Cursor): void {
  take(cursor, whiteSpace)
}

function unexpected(cursor: Cursor, expected: string): JsonSyntaxError {
  // It is invisible, and some editors write it automatically.
  if (cursor.at === 0 && cursor.text.startsWith('\uFEFF')) {
    return errorAt(cursor, `${expected} is expected here, and not the byte-order mark U+FEFF`)
  }
  const ended = cursor.at >= cursor.text.length
  return errorAt(cursor, ended ? `it ends where ${expected} is expected` : `${expected} is expected here`)
}

function errorAt(cursor: Cursor, why: string): JsonSyntaxError {
  return { offset: cursor.at, why }
}
