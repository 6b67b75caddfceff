import {
  type BrokenRecord,
  errorMark,
  type JsonRecord,
  maxRecordLength,
  type Place,
  placeIn,
  type RecordReader,
  tooLong,
  UnreadableFile,
} from './record.ts'

type Options = { /** Characters of a record. */ maxLength?: number }

/** Reads NDJSON: a JSON text on each non-empty line. Does not check that it is JSON. Skips lines with the reason why the next row was rejected. */
export function createNdjsonReader({ maxLength = maxRecordLength }: Options = {}): RecordReader<JsonRecord> {
  let rest = ''
  let line = 1
  /** A line that is too long is discarded. */
  let isSkipped = false

  function* take(text: string): Generator<JsonRecord | BrokenRecord> {
    if (isSkipped || text.length > maxLength) {
      yield { line, column: 1, problem: `it has more than ${maxLength} characters, and is not kept`, text: '' }
    } else if (text.trim() !== '' && !text.startsWith(errorMark)) yield { line, column: 1, text }
    isSkipped = false
    line++
  }

  return {
    *push(text) {
      const lines = text.split('\n')
      for (const [n, part] of lines.entries()) {
        if (n > 0) {
          yield* take(rest)
          rest = ''
        }
        if (!isSkipped) rest += part
        if (rest.length > maxLength) {
          isSkipped = true
          rest = ''
        }
      }
    },
    end: () => take(rest),
  }
}

/** Reads the elements of one JSON array. Does not check that they are JSON. Skips lines with the reason why the next element was rejected. */
export function createJsonArrayReader({ maxLength = maxRecordLength }: Options = {}): RecordReader<JsonRecord> {
  return new JsonArrayReader(maxLength)
}

class JsonArrayReader implements RecordReader<JsonRecord> {
  readonly #maxLength: number
  /** Text from the current element on, its place in the file, and how far it has been read. */
  #rest = ''
  #place: Place = { line: 1, column: 1 }
  #at = 0
  #depth = 0
  #isInString = false
  #state: 'before' | 'inside' | 'behind' = 'before'
  #elements = 0

  constructor(maxLength: number) {
    this.#maxLength = maxLength
  }

  *push(text: string): Generator<JsonRecord> {
    this.#rest += text
    yield* this.#read()
    if (this.#rest.length > this.#maxLength) throw tooLong(this.#place.line, this.#maxLength)
  }

  *end(): Generator<JsonRecord> {
    yield* this.#read()
    if (this.#state === 'behind') return
    this.#fail(this.#rest.length, this.#state === 'before' ? 'the file has no array' : 'the array is not closed')
  }

  *#read(): Generator<JsonRecord> {
    for (;;) {
      if (this.#state !== 'inside' && !this.#isOpened()) return
      if (!this.#passReasons()) return
      const end = this.#elementEnd()
      if (end === null) return
      yield* this.#take(end)
      this.#state = this.#rest[end] === ',' ? 'inside' : 'behind'
      this.#drop(end + 1)
    }
  }

  /** Whether the opening bracket of the array was read. */
  #isOpened(): boolean {
    const next = this.#rest.search(/\S/)
    if (next === -1) return false
    if (this.#state === 'behind') this.#fail(next, 'the file continues after its array')
    if (this.#rest[next] !== '[') this.#fail(next, 'expected the array to begin with "["')
    this.#state = 'inside'
    this.#drop(next + 1)
    return true
  }

  /** Skips lines with the reason why the next element was rejected; false: such a line may be incomplete. */
  #passReasons(): boolean {
    for (;;) {
      const begin = this.#rest.search(/\S/)
      const mark = errorMark.slice(0, this.#rest.length - begin)
      if (begin === -1 || !this.#rest.startsWith(mark, begin)) return true
      const end = this.#rest.indexOf('\n', begin)
      if (end === -1) return false
      this.#drop(end + 1)
    }
  }

  /** The element up to `end`, without surrounding white space; nothing for an empty array. */
  *#take(end: number): Generator<JsonRecord> {
    const text = this.#rest.slice(0, end)
    const begin = text.search(/\S/)
    if (begin === -1 && this.#elements === 0 && this.#rest[end] === ']') return
    this.#elements++
    const { line, column } = placeIn(this.#rest, begin === -1 ? end : begin, this.#place)
    yield { line, column, text: text.trim() }
  }

  /** The position of the comma or bracket that ends the element; null until it is found. */
  #elementEnd(): number | null {
    for (;;) {
      const pattern = this.#isInString ? inString : outside
      pattern.lastIndex = this.#at
      pattern.test(this.#rest)
      this.#at = pattern.lastIndex
      const char = this.#rest[this.#at]
      if (char === undefined || (char === '\\' && this.#at + 1 === this.#rest.length)) return null
      if (this.#depth === 0 && !this.#isInString && (char === ',' || char === ']')) return this.#at
      if (char === '"') this.#isInString = !this.#isInString
      else if (char === '{' || char === '[') this.#depth++
      else if (char === '}' || char === ']') this.#depth = Math.max(0, this.#depth - 1)
      this.#at += char === '\\' ? 2 : 1
    }
  }

  #drop(until: number): void {
    this.#place = placeIn(this.#rest, until, this.#place)
    this.#rest = this.#rest.slice(until)
    this.#at = 0
  }

  #fail(offset: number, why: string): never {
    const { line, column } = placeIn(this.#rest, offset, this.#place)
    throw new UnreadableFile(`line ${line}, column ${column}: ${why}`)
  }
}

const inString = /[^"\\]*/y
const outside = /[^"\\[\]{},]*/y
