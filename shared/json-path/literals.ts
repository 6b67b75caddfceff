import type { Scalar } from './query.ts'
import type { Scanner } from './scanner.ts'

/** Reads a text in quotes; null: none comes next. @throws PathError */
export function readString(scanner: Scanner): string | null {
  const quote = scanner.sees('"') ? '"' : "'"
  if (!scanner.takes(quote)) return null
  let value = ''
  while (!scanner.takes(quote)) {
    const plain = scanner.match(quote === '"' ? plainInDouble : plainInSingle)
    if (plain !== null) value += plain
    else if (scanner.takes(`\\${quote}`)) value += quote
    else value += readEscape(scanner)
  }
  return value
}

const plainInDouble = /[ !#-[\]-\ud7ff\ue000-\u{10ffff}]+/uy
const plainInSingle = /[ -&(-[\]-\ud7ff\ue000-\u{10ffff}]+/uy

/** Escapes are those of JSON; half of a surrogate pair is not a character. */
function readEscape(scanner: Scanner): string {
  const found = scanner.match(
    /\\(?:[bfnrt/\\]|u(?:[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?![dD][89a-fA-F])[0-9a-fA-F]{4}))/y,
  )
  if (found !== null) return JSON.parse(`"${found}"`) as string
  if (scanner.isAtEnd) throw scanner.error('the closing quote is missing')
  throw scanner.error(scanner.sees('\\') ? 'unknown escape sequence' : 'a control character needs an escape')
}

/** Reads a number, a text, or one of the three names; null: none of them comes next. @throws PathError */
export function readLiteral(scanner: Scanner): Scalar | null {
  const number = scanner.match(/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y)
  if (number !== null) return { kind: 'number', text: number }
  const name = scanner.match(/(?:true|false|null)(?![a-z_0-9(])/y) as 'true' | 'false' | 'null' | null
  if (name !== null) return { kind: 'name', text: name }
  const value = readString(scanner)
  return value === null ? null : { kind: 'string', value }
}

/** Reads an integer of at most 2^53 - 1, without leading zeros; null: none comes next. @throws PathError */
export function readInteger(scanner: Scanner): number | null {
  const text = scanner.match(/-?[0-9]+/y)
  if (text === null) return null
  if (!/^(?:0|-?[1-9][0-9]*)$/.test(text)) throw scanner.error('an index must not have a leading zero or be -0')
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw scanner.error('the index is beyond 2^53')
  return value
}
