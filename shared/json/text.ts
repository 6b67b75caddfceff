/** JSON as bytes: the findings of one pass over them, and the compact text of a part of them. */

/** A member of the outermost object, as byte offsets: the key's quotes, the value's slice and its white space in bytes. */
export type Member = { keyStart: number; keyEnd: number; valueStart: number; valueEnd: number; spaces: number }

export type JsonScan = {
  /** Levels of nested objects and arrays; 0 for a lone scalar. */
  depth: number
  /** Members of all objects in the text, repeated keys counted each time. */
  memberCount: number
  /** Whether a `\u` escape names half of a surrogate pair. */
  loneSurrogate: boolean
  /** The members of the outermost object; empty when the text is not an object. */
  members: Member[]
  /** Bytes of white space outside strings. */
  spaces: number
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
const space = 0x20
const letterU = 0x75

/**
 * One pass over UTF-8 JSON. It does not check the grammar (`JSON.parse` does), ends on any input, and is right for
 * well-formed input. This loop runs for every byte of every request: it allocates only for the outermost members.
 */
export function scanJson(bytes: Uint8Array): JsonScan {
  const scan: JsonScan = { depth: 0, memberCount: 0, loneSurrogate: false, members: [], spaces: 0 }
  const end = bytes.length
  let level = 0
  let spaces = 0
  let keyStart = 0
  let keyEnd = 0
  let member: Member | null = null
  for (let i = 0; i < end; i++) {
    const byte = bytes[i]
    if (byte === quote) {
      const start = i
      for (i++; i < end && bytes[i] !== quote; i++) {
        if (bytes[i] !== backslash) continue
        const length = escapeLength(bytes, i)
        if (length === 0) scan.loneSurrogate = true
        i += length === 0 ? 5 : length - 1
      }
      if (level === 1 && member === null) {
        keyStart = start
        keyEnd = i + 1
      }
    } else if (byte === colon) {
      scan.memberCount++
      if (level === 1) member = { keyStart, keyEnd, valueStart: i + 1, valueEnd: end, spaces }
    } else if (byte === openBrace || byte === openBracket) {
      level++
      if (level > scan.depth) scan.depth = level
    } else if (byte === comma || byte === closeBrace || byte === closeBracket) {
      if (level === 1 && member !== null) {
        member.valueEnd = i
        member.spaces = spaces - member.spaces
        scan.members.push(member)
        member = null
      }
      if (byte !== comma) level--
    } else if (byte !== undefined && byte <= space) {
      spaces++
    }
  }
  scan.spaces = spaces
  return scan
}

/** The text of well-formed JSON without the white space outside its strings; it holds `spaces` bytes of that. */
export function compactJson(bytes: Buffer, start: number, end: number, spaces: number): string {
  if (spaces === 0) return bytes.toString('utf8', start, end)
  const compact = Buffer.allocUnsafe(end - start - spaces)
  let length = 0
  for (let i = start; i < end; i++) {
    const byte = bytes[i] ?? space
    if (byte <= space) continue
    compact[length++] = byte
    if (byte !== quote) continue
    // A string is copied unchanged, up to its closing quote.
    for (i++; i < end && bytes[i] !== quote; i++) {
      compact[length++] = bytes[i] ?? space
      if (bytes[i] === backslash) compact[length++] = bytes[++i] ?? space
    }
    compact[length++] = quote
  }
  return compact.toString('utf8', 0, length)
}

/** Bytes of the escape at `at`: 12 for a surrogate pair, 0 for half of one, otherwise at least 2. */
function escapeLength(bytes: Uint8Array, at: number): number {
  const first = surrogateAt(bytes, at)
  if (first === null) return 2
  return first === 'high' && surrogateAt(bytes, at + 6) === 'low' ? 12 : 0
}

/** Which half of a surrogate pair the escape at `at` names: `\uD800`-`\uDBFF` high, `\uDC00`-`\uDFFF` low. */
function surrogateAt(bytes: Uint8Array, at: number): 'high' | 'low' | null {
  if (bytes[at] !== backslash || bytes[at + 1] !== letterU) return null
  if (hexDigit(bytes[at + 2]) !== 0xd) return null
  const second = hexDigit(bytes[at + 3])
  if (second < 8) return null
  return second < 12 ? 'high' : 'low'
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}
