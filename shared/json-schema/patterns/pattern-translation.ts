import { type Atom, charAtom, type PatternCursor, readEscape, readLiteral } from './pattern-atom.ts'
import { PatternError } from './pattern-error.ts'

export type TranslatedPattern = {
  /** The same pattern in RE2's syntax. */
  source: string
  /**
   * Its approximate number of instructions, with repetitions expanded. One for a class with a Unicode property takes about
   * four times as long as another, and such classes are costly to build.
   */
  size: number
}

/**
 * Translates a pattern of ECMA-262, which JSON Schema uses, into RE2's syntax. The two look alike but differ in the meaning
 * of `.`, `\s` and `$`, in escapes, and in what only one of them has; each character is translated by its ECMA-262 meaning. A
 * pattern that is invalid with the flag `u` but valid without it (`\-` and the like) is accepted and matches code points too.
 *
 * @throws PatternError when it is not a regular expression, or no linear-time engine runs it
 */
export function translatePattern(pattern: string): TranslatedPattern {
  if (pattern.split(/\\[pP]/).length > maxProperties) throw new PatternError('names too many Unicode properties')
  const unicode = isPattern(pattern, 'u')
  if (!unicode && !isPattern(pattern, '')) throw new PatternError('is not a regular expression')
  const cursor: PatternCursor = { pattern, unicode, at: 0 }
  const around: number[] = []
  let source = ''
  let size = 0
  let last = 0
  let classes = 0
  while (cursor.at < pattern.length) {
    const char = pattern[cursor.at]
    const quantifier = readQuantifier(cursor)
    if (quantifier) {
      source += quantifier.source
      size += last * (quantifier.times - 1)
    } else if (char === '(') {
      source += readGroupStart(cursor)
      around.push(size)
      size = 0
    } else if (char === ')') {
      source += ')'
      cursor.at++
      last = size + 1
      size = last + (around.pop() ?? 0)
    } else {
      const simple = readSimple(cursor)
      const properties = simple.split(/\\[pP]\{/).length - 1
      source += simple
      last = properties > 0 ? 4 : 1
      size += last
      classes += 20 * properties + Math.floor(simple.length / 64)
    }
  }
  return { source, size: size + classes }
}

/** Each is a table that takes time to build into a class, even for a syntax check. */
const maxProperties = 100

/** Only checks the syntax; JavaScript's engine never runs a pattern. */
function isPattern(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags)
    return true
  } catch {
    return false
  }
}

const maxRepetitions = 1_000
const braces = /\{([0-9]+)(?:(,)([0-9]*))?\}/y

/** `times` is how often the engine expands the repeated part. */
function readQuantifier(cursor: PatternCursor): { source: string; times: number } | null {
  const char = cursor.pattern[cursor.at] ?? ''
  if ('*+?'.includes(char)) {
    cursor.at++
    return { source: char, times: 1 }
  }
  braces.lastIndex = cursor.at
  const found = char === '{' ? braces.exec(cursor.pattern) : null
  if (!found) return null
  cursor.at += found[0].length
  const [, from, comma = '', to = ''] = found
  const times = Math.max(Number(from), Number(to), 1)
  if (times > maxRepetitions) {
    throw new PatternError(`repeats something more than ${maxRepetitions} times; use minLength and maxLength instead`)
  }
  // As numbers: RE2 reads braces with leading zeros as text.
  return { source: `{${Number(from)}${comma}${to && Number(to)}}`, times }
}

/** Groups do not capture, because nothing refers to them. */
function readGroupStart(cursor: PatternCursor): string {
  groupStart.lastIndex = cursor.at
  const start = groupStart.exec(cursor.pattern)?.[0] ?? '('
  if (/^\(\?<?[=!]$/.test(start)) throw new PatternError('uses look-around, which is not supported')
  if (start === '(?') throw new PatternError('sets flags for a part of itself, which is not supported')
  cursor.at += start.length
  return '(?:'
}

const groupStart = /\(\?(?::|<?[=!]|<[^>]*>)?|\(/y

function readSimple(cursor: PatternCursor): string {
  const char = cursor.pattern[cursor.at] ?? ''
  if (char === '[') return readClass(cursor)
  if (char === '\\') return readEscape(cursor, false).source
  const same = Object.hasOwn(simple, char) ? simple[char] : undefined
  if (same === undefined) return readLiteral(cursor).source
  cursor.at++
  return same
}

const simple: Record<string, string> = { '.': '[^\\n\\r\\x{2028}\\x{2029}]', '^': '\\A', $: '\\z', '|': '|' }

/** `[…]`. Empty classes, which RE2 does not have, match nothing, or everything. */
function readClass(cursor: PatternCursor): string {
  const negated = cursor.pattern[cursor.at + 1] === '^'
  cursor.at += negated ? 2 : 1
  let set = ''
  while (cursor.pattern[cursor.at] !== ']') set += readClassPart(cursor)
  cursor.at++
  if (set === '') return negated ? `[${anything}]` : `[^${anything}]`
  return negated ? `[^${set}]` : `[${set}]`
}

const anything = '\\x00-\\x{10ffff}'

/** One member of a class, or a range. Without the flag `u` a hyphen next to `\d` and the like is a hyphen. */
function readClassPart(cursor: PatternCursor): string {
  const from = readClassAtom(cursor)
  const { pattern, at } = cursor
  if (from.char === undefined || pattern[at] !== '-' || pattern[at + 1] === ']') return from.set
  cursor.at++
  const to = readClassAtom(cursor)
  return to.char === undefined ? `${from.set}${charAtom(0x2d).set}${to.set}` : `${from.set}-${to.set}`
}

function readClassAtom(cursor: PatternCursor): Atom {
  return cursor.pattern[cursor.at] === '\\' ? readEscape(cursor, true) : readLiteral(cursor)
}
