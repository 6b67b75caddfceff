/** JSON as bytes: the findings of one pass over them, and the compact text of a part of them. */

/**
 * A member of the outermost object, as byte offsets: the key's quotes, the value's slice and its white space in bytes; and the
 * commas between the entries of its value.
 */
export type Member = {
  keyStart: number
  keyEnd: number
  valueStart: number
  valueEnd: number
  spaces: number
  commas: number
}

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

/** A scan and where it is in the text; `member` is the one of the outermost object that it is in. */
type ScanInProgress = JsonScan & { at: number; level: number; member: Member | null; keyStart: number; keyEnd: number }

/** A comma at which a text may be cut, and the objects and arrays that are open there, the outermost first. */
export type Cut = { at: number; open: readonly OpenContainer[] }

/** With the key, quotes included, under which an object holds the next open one. */
export type OpenContainer = { kind: '{' | '['; keyStart: number; keyEnd: number }

/** Looks for cuts that are so many bytes apart at least. For each level: the kind of what is open there, and its current key. */
type CutSearch = { every: number; cuts: Cut[]; kinds: Uint8Array; keyStarts: Uint32Array; keyEnds: Uint32Array }

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
 * well-formed input. It allocates only for the outermost members.
 */
export function scanJson(bytes: Uint8Array): JsonScan {
  const scan = newScan()
  scanOn(scan, bytes, bytes.length, null)
  return scan
}

/**
 * The same in steps of `every` bytes, with the cuts that divide the text into pieces of about so many. It ends early when the text
 * has more levels than it may have.
 */
export function* scanInSteps(
  bytes: Uint8Array,
  { maxDepth, every }: { maxDepth: number; every: number },
): Generator<undefined, JsonScan & { cuts: readonly Cut[] }> {
  const scan = newScan()
  const levels = maxDepth + 1
  const keys = { keyStarts: new Uint32Array(levels), keyEnds: new Uint32Array(levels) }
  const search = { every, cuts: [], kinds: new Uint8Array(levels), ...keys }
  while (scan.at < bytes.length && scan.depth <= maxDepth) {
    scanOn(scan, bytes, Math.min(scan.at + every, bytes.length), search)
    yield
  }
  return { ...scan, cuts: search.cuts }
}

function newScan(): ScanInProgress {
  return {
    depth: 0,
    memberCount: 0,
    loneSurrogate: false,
    members: [],
    spaces: 0,
    at: 0,
    level: 0,
    member: null,
    keyStart: 0,
    keyEnd: 0,
  }
}

/** Scans to an offset, or to the end of the string that is there. This loop runs for every byte of every request. */
function scanOn(scan: ScanInProgress, bytes: Uint8Array, until: number, search: CutSearch | null): void {
  const end = bytes.length
  let { level, spaces, member, keyStart, keyEnd } = scan
  let cutAt = search === null ? end : (search.cuts.at(-1)?.at ?? 0) + search.every
  let i = scan.at
  for (; i < until; i++) {
    const byte = bytes[i]
    if (byte === quote) {
      const start = i
      for (i++; i < end && bytes[i] !== quote; i++) {
        if (bytes[i] !== backslash) continue
        const length = escapeLength(bytes, i)
        if (length === 0) scan.loneSurrogate = true
        i += length === 0 ? 5 : length - 1
      }
      keyStart = start
      keyEnd = i + 1
    } else if (byte === colon) {
      scan.memberCount++
      if (level === 1) member = { keyStart, keyEnd, valueStart: i + 1, valueEnd: end, spaces, commas: 0 }
      if (search !== null) {
        search.keyStarts[level] = keyStart
        search.keyEnds[level] = keyEnd
      }
    } else if (byte === openBrace || byte === openBracket) {
      level++
      if (level > scan.depth) scan.depth = level
      if (search !== null) search.kinds[level] = byte
    } else if (byte === comma || byte === closeBrace || byte === closeBracket) {
      if (level === 1 && member !== null) {
        member.valueEnd = i
        member.spaces = spaces - member.spaces
        scan.members.push(member)
        member = null
      }
      if (byte !== comma) level--
      else {
        if (level === 2 && member !== null) member.commas++
        if (i >= cutAt && level > 0 && search !== null) {
          search.cuts.push({ at: i, open: openAt(search, level) })
          cutAt = i + search.every
        }
      }
    } else if (byte !== undefined && byte <= space) {
      spaces++
    }
  }
  scan.at = i
  scan.level = level
  scan.spaces = spaces
  scan.member = member
  scan.keyStart = keyStart
  scan.keyEnd = keyEnd
}

function openAt({ kinds, keyStarts, keyEnds }: CutSearch, level: number): OpenContainer[] {
  return Array.from({ length: level }, (_, n) => ({
    kind: kinds[n + 1] === openBrace ? '{' : '[',
    keyStart: keyStarts[n + 1] ?? 0,
    keyEnd: keyEnds[n + 1] ?? 0,
  }))
}

/** The text of well-formed JSON without the white space outside its strings; it holds at most `spaces` bytes of that. */
export function compactJson(bytes: Buffer, start: number, end: number, spaces: number): string {
  if (spaces === 0) return bytes.toString('utf8', start, end)
  const compact = Buffer.allocUnsafe(end - start)
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
