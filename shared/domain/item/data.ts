import { isUtf8 } from 'node:buffer'
import { compactInSteps, parseInSteps } from '#shared/json/text/pieces.ts'
import { findSyntaxError, findSyntaxErrorInSteps, type JsonSyntaxError } from '#shared/json/text/syntax-error.ts'
import { type Cut, type JsonScan, type Member, scanInSteps, scanJson } from '#shared/json/text/text.ts'
import { AppError } from '../../errors.ts'
import { longStepBytes, maxJsonDepth } from '../limits.ts'
import { placeOf } from '../text/place.ts'

type ReadJsonOptions = {
  /** Nested objects and arrays, the outermost one included. */
  maxDepth?: number
  /** Top-level properties whose source text is also returned. */
  textOf?: readonly string[]
  /** Checks the members of the body before it is parsed; may throw. */
  before?: ((members: Iterable<BodyMember>) => void) | undefined
}

/** A member of the body: its name, and the commas between the entries of its value. */
export type BodyMember = { name: string; commas: number }

export type ReadJson = {
  /** For validation only: large numbers lose digits, and integer-like keys lose their order. `__proto__` is an own property. */
  value: unknown
  /** The compact source text of those properties that exist: key order and numbers as sent. */
  text: Record<string, string>
}

/**
 * Reads a request body: strict UTF-8 without a byte order mark, RFC 8259, no repeated key in any object, no half of a surrogate pair,
 * bounded nesting (contract 1.1). Numbers that a double cannot represent are kept in the text; in the value they are the nearest double,
 * beyond its range ±Infinity. A long body is read in steps of some milliseconds at most.
 *
 * Repeated keys are found without a set of keys: `JSON.parse` drops them, so the text has more members than the value.
 *
 * @throws AppError MALFORMED_JSON with reason and place; `details` has line and column (from 1, in UTF-16 units), or the byte offset of
 * invalid UTF-8. An empty body is malformed here; the caller decides what it means.
 */
export function* readJson(
  body: Uint8Array,
  { textOf = [], ...options }: ReadJsonOptions = {},
): Generator<undefined, ReadJson> {
  const { value, bytes, scan } = yield* parseBody(body, options)
  const text: Record<string, string> = {}
  if (textOf.length === 0) return { value, text }
  for (const member of scan.members) {
    const name = nameOf(bytes, member)
    if (!textOf.includes(name)) continue
    const { valueStart: start, valueEnd: end, spaces } = member
    text[name] = yield* compactInSteps({ bytes, cuts: scan.cuts }, { start, end, spaces })
  }
  return { value, text }
}

/** The same for a body of any type that is kept as a whole: `text` is its compact source text. */
export function* readJsonText(
  body: Uint8Array,
  options: Pick<ReadJsonOptions, 'before'> = {},
): Generator<undefined, { value: unknown; text: string }> {
  const { value, bytes, scan } = yield* parseBody(body, options)
  const whole = { start: 0, end: bytes.length, spaces: scan.spaces }
  return { value, text: yield* compactInSteps({ bytes, cuts: scan.cuts }, whole) }
}

/** Bytes that a step scans, or parses: at worst 5 ns and 250 ns each. */
const stepBytes = 32 * 1024

type Scan = JsonScan & { cuts: readonly Cut[] }

function* parseBody(
  body: Uint8Array,
  { maxDepth = maxJsonDepth, before }: Pick<ReadJsonOptions, 'maxDepth' | 'before'>,
): Generator<undefined, { value: unknown; bytes: Buffer; scan: Scan }> {
  const bytes = utf8Of(body)
  const isLong = bytes.length > longStepBytes
  const scan = isLong ? yield* scanInSteps(bytes, { maxDepth, every: stepBytes }) : { ...scanJson(bytes), cuts: [] }
  const mayBeJson = scan.depth <= maxDepth && !scan.loneSurrogate
  if (mayBeJson) before?.({ [Symbol.iterator]: () => membersOf(bytes, scan) })
  const parsed = mayBeJson ? yield* parseInSteps({ bytes, cuts: scan.cuts }) : null
  if (parsed?.memberCount === scan.memberCount) return { value: parsed.value, bytes, scan }
  const text = bytes.toString('utf8')
  throw malformed(text, yield* findSyntaxErrorInSteps(text, maxDepth))
}

function* membersOf(bytes: Buffer, { members }: JsonScan): Generator<BodyMember> {
  for (const member of members) yield { name: nameOf(bytes, member), commas: member.commas }
}

/** @throws AppError MALFORMED_JSON */
function utf8Of(body: Uint8Array): Buffer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (!isUtf8(bytes)) throw malformedUtf8(bytes)
  return bytes
}

/** The name of a member; a malformed name is returned as sent, because parsing finds the error later. */
function nameOf(bytes: Buffer, { keyStart, keyEnd }: Member): string {
  const key = bytes.toString('utf8', keyStart, keyEnd)
  return key.includes('\\') && findSyntaxError(key, 0) === null ? (JSON.parse(key) as string) : key.slice(1, -1)
}

function malformed(text: string, error: JsonSyntaxError | null): Error {
  if (error === null) return new Error('JSON was rejected without a syntax error')
  const { line, column } = placeOf(text, error.offset)
  const message = `The body is not well-formed JSON: ${error.why} (line ${line}, column ${column}).`
  return new AppError('MALFORMED_JSON', { message, details: { line, column } })
}

function malformedUtf8(bytes: Buffer): AppError {
  // Decoding replaces invalid bytes, and only those, so the first difference is the place.
  const repaired = Buffer.from(bytes.toString('utf8'))
  let offset = 0
  while (bytes[offset] === repaired[offset]) offset++
  const isUtf16 = offset === 0 && ['fffe', 'feff'].includes(bytes.toString('hex', 0, 2))
  const why = isUtf16 ? 'it begins with the byte-order mark of UTF-16, and is not UTF-8' : 'it is not UTF-8'
  const message = `The body is not well-formed JSON: ${why} (byte ${offset}).`
  return new AppError('MALFORMED_JSON', { message, details: { offset } })
}
