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

/**
 * Reads NDJSON: a JSON text on each line that is not empty. Whether it is JSON is not looked at. A line that says why the row below
 * it was rejected is left out.
 */
export function createNdjsonReader({ maxLength = maxRecordLength }: Options = {}): RecordReader<JsonRecord> {
  let rest = ''
  let line = 1
  /** Of a line that is too long nothing is kept. */
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

/**
 * Reads the elements of one JSON array. Whether they are JSON is not looked at. A line before an element that says why it was rejected
 * is left out.
 */
export function createJsonArrayReader({ maxLength = maxRecordLength }: Options = {}): RecordReader<JsonRecord> {
  return new JsonArrayReader(maxLength)
}

class JsonArrayReader implements RecordReader<JsonRecord> {
  readonly #maxLength: number
  /** Text from the present element on, where it begins in the file, and how far it has been read. */
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
    this.#fail(this.#rest.length, this.#state === 'before' ? 'there is no array' : 'the array is not closed')
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

  /** Whether the bracket has come with which the array begins. */
  #isOpened(): boolean {
    const next = this.#rest.search(/\S/)
    if (next === -1) return false
    if (this.#state === 'behind') this.#fail(next, 'the file does not end after its array')
    if (this.#rest[next] !== '[') this.#fail(next, 'an array begins with "["')
    this.#state = 'inside'
    this.#drop(next + 1)
    return true
  }

  /** Skips lines that say why the next element was rejected; false: such a line may be incomplete. */
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

  /** The element up to `end`, without the white space around it; nothing for an array without elements. */
  *#take(end: number): Generator<JsonRecord> {
    const text = this.#rest.slice(0, end)
    const begin = text.search(/\S/)
    if (begin === -1 && this.#elements === 0 && this.#rest[end] === ']') return
    this.#elements++
    const { line, column } = placeIn(this.#rest, begin === -1 ? end : begin, this.#place)
    yield { line, column, text: text.trim() }
  }

  /** Where the comma or bracket is that ends the element; null until there is one. */
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
