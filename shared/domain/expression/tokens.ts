import { isRawNumber, parseExact } from '#shared/json/exact.ts'
import { ExpressionError } from './expression-error.ts'
import type { RawNumber } from './value.ts'

/** A token of an expression. `at` and `end` are offsets in its text. */
export type Token = { at: number; end: number } & (
  | { kind: 'name' | 'sign'; text: string }
  | { kind: 'literal'; value: string | number | RawNumber }
  | { kind: 'end' }
)

/** Longer signs first. */
const signs = ['...', '=>', '??', '?.', '==', '!=', '<=', '>=', '&&', '||', ...'()[]{},:;.?!<>=+-*/%'] as const

const skipped = /(?:\s+|\/\/[^\n]*)*/y
const name = /[\p{ID_Start}_$][\p{ID_Continue}$]*/uy
const number = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const quoted = { '"': /"(?:[^"\\\n]|\\[^\n])*"/y, "'": /'(?:[^'\\\n]|\\[^\n])*'/y }

/** Splits the text of an expression or of helpers. @throws ExpressionError at text that is not a token */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (let at = matchAt(skipped, text, 0).length; at < text.length; ) {
    const token = tokenAt(text, at)
    tokens.push(token)
    at = token.end + matchAt(skipped, text, token.end).length
  }
  return [...tokens, { kind: 'end', at: text.length, end: text.length }]
}

function tokenAt(text: string, at: number): Token {
  const first = text[at] ?? ''
  if (first === '"' || first === "'") return textAt(text, at, first)
  const word = matchAt(name, text, at)
  if (word) return { kind: 'name', text: word, at, end: at + word.length }
  const digits = matchAt(number, text, at)
  if (digits) return numberAt(text, at, digits)
  const sign = signs.find((one) => text.startsWith(one, at))
  if (sign) return { kind: 'sign', text: sign, at, end: at + sign.length }
  throw new ExpressionError(
    'syntax',
    `${JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))} is not allowed here`,
    {
      text,
      at,
    },
  )
}

function numberAt(text: string, at: number, digits: string): Token {
  const end = at + digits.length
  const error = (message: string) => new ExpressionError('syntax', message, { text, at })
  if (/^0\d/.test(digits)) throw error('a number cannot have a leading zero')
  if (matchAt(name, text, end)) throw error('a name cannot begin with a digit')
  const value = parseExact(digits)
  if (typeof value === 'number' || isRawNumber(value)) return { kind: 'literal', value, at, end }
  throw error('this is not a number')
}

function textAt(text: string, at: number, quote: '"' | "'"): Token {
  const found = matchAt(quoted[quote], text, at)
  if (!found) throw new ExpressionError('syntax', `this text has no closing ${quote}`, { text, at })
  return { kind: 'literal', value: unescaped(text, at, found), at, end: at + found.length }
}

/** The value of a quoted text. Escapes are those of JSON, and of both kinds of quotes. */
function unescaped(text: string, at: number, found: string): string {
  return found.slice(1, -1).replace(/\\(u[0-9a-fA-F]{4}|.)/gs, (sequence, rest: string, offset: number) => {
    if (rest.length === 5) return String.fromCharCode(Number.parseInt(rest.slice(1), 16))
    const meant = escapes[rest]
    if (meant !== undefined) return meant
    throw new ExpressionError('syntax', `${JSON.stringify(sequence)} is not an escape sequence`, {
      text,
      at: at + 1 + offset,
    })
  })
}

const escapes: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
})

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}
