import { PatternError } from './pattern-error.ts'

/** A pattern of ECMA-262 while it is parsed. `unicode`: it is valid with the flag `u`, and not only without. */
export type PatternCursor = { readonly pattern: string; readonly unicode: boolean; at: number }

/** Something that matches one character, or an assertion, in RE2's syntax: on its own, and inside `[…]`. */
export type Atom = {
  source: string
  set: string /** Only when it is one character, which may begin or end a range. */
  char?: number
}

/** The escape whose backslash is at the cursor. Escapes that ECMA-262 does not define mean the character itself. */
export function readEscape(cursor: PatternCursor, inClass: boolean): Atom {
  const letter = cursor.pattern[cursor.at + 1] ?? ''
  if (/[1-9]/.test(letter)) throw new PatternError('uses a back-reference, which is not supported')
  const fixed = Object.hasOwn(fixedEscapes, letter) ? fixedEscapes[letter] : undefined
  if (fixed) return advance(cursor, 2, fixed)
  if (letter === 'b' || letter === 'B') {
    return advance(cursor, 2, inClass ? charAtom(0x08) : { source: `\\${letter}`, set: '' })
  }
  if (letter === 'k' && !inClass && cursor.pattern[cursor.at + 2] === '<') {
    throw new PatternError('uses a back-reference, which is not supported')
  }
  return readCoded(cursor, letter) ?? readLiteral(advance(cursor, 1, cursor))
}

/** The character at the cursor, standing for itself. */
export function readLiteral(cursor: PatternCursor): Atom {
  const char = cursor.pattern.codePointAt(cursor.at) ?? 0
  return advance(cursor, char > 0xffff ? 2 : 1, charAtom(char))
}

export function charAtom(char: number): Atom {
  const code = `\\x{${char.toString(16)}}`
  return { source: code, set: code, char }
}

function setAtom(set: string): Atom {
  return { source: `[${set}]`, set }
}

/** White space of ECMA-262, of which RE2's `\s` is a part, and its complement. */
const spaces = '\\t-\\r\\x20\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const noSpaces =
  '\\x00-\\x08\\x0e-\\x1f\\x21-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'

const fixedEscapes: Record<string, Atom> = {
  d: setAtom('\\d'),
  D: setAtom('\\D'),
  w: setAtom('\\w'),
  W: setAtom('\\W'),
  s: setAtom(spaces),
  S: setAtom(noSpaces),
  t: charAtom(0x09),
  n: charAtom(0x0a),
  v: charAtom(0x0b),
  f: charAtom(0x0c),
  r: charAtom(0x0d),
}

/** Escapes with a code or a property; null when the letter does not begin one. */
function readCoded(cursor: PatternCursor, letter: string): Atom | null {
  const { unicode } = cursor
  if (letter === '0') return readNul(cursor)
  if (letter === 'c') return readCode(cursor, /\\c([A-Za-z])/y, (control) => control.charCodeAt(0) % 32)
  if (letter === 'x') return readCode(cursor, /\\x([0-9a-fA-F]{2})/y, fromHex)
  if (letter === 'u') {
    return (
      (unicode ? readCode(cursor, /\\u\{([0-9a-fA-F]+)\}/y, fromHex) : null) ??
      readCode(cursor, /\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/y, fromPair) ??
      readCode(cursor, /\\u([0-9a-fA-F]{4})/y, fromHex)
    )
  }
  return unicode && (letter === 'p' || letter === 'P') ? readProperty(cursor, letter) : null
}

function readNul(cursor: PatternCursor): Atom {
  if (/[0-9]/.test(cursor.pattern[cursor.at + 2] ?? '')) throw new PatternError('uses an octal escape')
  return advance(cursor, 2, charAtom(0))
}

function readCode(cursor: PatternCursor, form: RegExp, code: (...parts: string[]) => number): Atom | null {
  form.lastIndex = cursor.at
  const found = form.exec(cursor.pattern)
  return found && advance(cursor, found[0].length, charAtom(code(...found.slice(1))))
}

function fromHex(digits: string): number {
  return Number.parseInt(digits, 16)
}

function fromPair(high: string, low: string): number {
  return String.fromCharCode(fromHex(high), fromHex(low)).codePointAt(0) ?? 0
}

/** `\p{Lu}`, `\p{Uppercase_Letter}`, `\p{gc=Lu}`, `\p{Greek}` as `\p{Script=Greek}`, `\p{Alphabetic}` and the like. */
function readProperty(cursor: PatternCursor, letter: string): Atom {
  const end = cursor.pattern.indexOf('}', cursor.at)
  const name = cursor.pattern.slice(cursor.at + 3, end)
  const plain = name.replace(/^(?:General_Category|gc|Script|sc)=/, '')
  const short = Object.hasOwn(generalCategories, plain) ? generalCategories[plain] : plain
  return advance(cursor, end + 1 - cursor.at, setAtom(`\\${letter}{${short}}`))
}

/** Long names of general categories, which RE2 does not have, and ECMA-262's name of ASCII. */
const generalCategories: Record<string, string> = {
  Letter: 'L',
  Uppercase_Letter: 'Lu',
  Lowercase_Letter: 'Ll',
  Titlecase_Letter: 'Lt',
  Cased_Letter: 'LC',
  Modifier_Letter: 'Lm',
  Other_Letter: 'Lo',
  Mark: 'M',
  Nonspacing_Mark: 'Mn',
  Spacing_Mark: 'Mc',
  Enclosing_Mark: 'Me',
  Number: 'N',
  Decimal_Number: 'Nd',
  Letter_Number: 'Nl',
  Other_Number: 'No',
  Punctuation: 'P',
  Connector_Punctuation: 'Pc',
  Dash_Punctuation: 'Pd',
  Open_Punctuation: 'Ps',
  Close_Punctuation: 'Pe',
  Initial_Punctuation: 'Pi',
  Final_Punctuation: 'Pf',
  Other_Punctuation: 'Po',
  Symbol: 'S',
  Math_Symbol: 'Sm',
  Currency_Symbol: 'Sc',
  Modifier_Symbol: 'Sk',
  Other_Symbol: 'So',
  Separator: 'Z',
  Space_Separator: 'Zs',
  Line_Separator: 'Zl',
  Paragraph_Separator: 'Zp',
  Other: 'C',
  Control: 'Cc',
  Format: 'Cf',
  Surrogate: 'Cs',
  Private_Use: 'Co',
  Unassigned: 'Cn',
  ASCII: 'Ascii',
}

function advance<T>(cursor: PatternCursor, length: number, result: T): T {
  cursor.at += length
  return result
}
