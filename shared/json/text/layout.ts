import { stringEnd } from './offsets.ts'

// JSON text for people to read, built token by token: numbers, escapes and the order of keys stay as they are.

/** Characters of a line within which an object or array of scalars is not broken. */
const lineWidth = 80
/** Levels that are indented: a long text whose every line begins with hundreds of spaces would be many times as long. */
const deepestIndent = { short: 200, long: 16 }
const longText = 64 * 1024

/**
 * The text with line breaks and two spaces for each level. An object or array of scalars that fits into a line stays in one,
 * unless it is the whole value. Linear in the text.
 * @param text valid JSON, however it is laid out
 */
export function layOut(text: string): string {
  const source = compact(text)
  const written = new Units(2 * source.length)
  const deepest = source.length > longText ? deepestIndent.long : deepestIndent.short
  let depth = 0
  let lineFrom = 0
  const breakLine = (next: number) => {
    written.add(lineFeed)
    for (let n = 2 * Math.min(depth, deepest); n > 0; n--) written.add(space)
    lineFrom = next
  }
  for (let i = 0; i < source.length; i++) {
    const code = source.charCodeAt(i)
    const end = code === quote ? stringEnd(source, i) : isOpening(code) ? endInLine(source, i, roomAt(i)) : null
    if (end !== null) {
      if (code === quote) written.addPart(source, i, end)
      else addInLine(written, source, { at: i, end })
      i = end - 1
    } else if (isOpening(code)) {
      written.add(code)
      depth++
      breakLine(i + 1)
    } else if (isClosing(code)) {
      depth--
      breakLine(i)
      written.add(code)
    } else {
      written.add(code)
      if (code === comma) breakLine(i + 1)
      else if (code === colon) written.add(space)
    }
  }
  return written.toString()

  function roomAt(at: number): number {
    return at === 0 ? 2 : lineWidth - 2 * depth - (at - lineFrom)
  }
}

/** The text without the white space outside of its strings. Undoes `layOut`. */
export function compact(text: string): string {
  const written = new Units(text.length)
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) i = stringEnd(text, i) - 1
    else if (isSpace(code)) {
      written.addPart(text, from, i)
      from = i + 1
    }
  }
  if (from === 0) return text
  written.addPart(text, from, text.length)
  return written.toString()
}

/** Where a character of `compact(text)` stands in the text, by its offset in the compact text. */
export function offsetBeforeCompact(text: string, offset: number): number {
  let left = offset
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isSpace(code)) continue
    const length = code === quote ? stringEnd(text, i) - i : 1
    if (left < length) return i + left
    left -= length
    i += length - 1
  }
  return text.length
}

/** White space of JSON, by its character code. */
export function isSpace(code: number): boolean {
  return code === space || code === lineFeed || code === 0x0d || code === 0x09
}

const space = 0x20
const lineFeed = 0x0a
const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openingBrace = 0x7b

const isOpening = (code: number) => code === openingBrace || code === 0x5b
const isClosing = (code: number) => code === 0x7d || code === 0x5d

/** Where the container at `at` ends, if it is empty or holds scalars in so many characters; null: it is to be broken. */
function endInLine(source: string, at: number, room: number): number | null {
  for (let i = at + 1; i - at < room; i++) {
    const code = source.charCodeAt(i)
    if (code === quote) i = stringEnd(source, i) - 1
    else if (isClosing(code)) return i + 1
    else if (isOpening(code)) {
      if (!isClosing(source.charCodeAt(i + 1))) return null
      i++
    }
  }
  return null
}

/** `{"a":1,"b":[]}` as `{ "a": 1, "b": [] }`. */
function addInLine(written: Units, source: string, { at, end }: { at: number; end: number }): void {
  const isSpaced = source.charCodeAt(at) === openingBrace && end - at > 2
  written.add(source.charCodeAt(at))
  if (isSpaced) written.add(space)
  for (let i = at + 1; i < end - 1; i++) {
    const code = source.charCodeAt(i)
    if (code === quote) {
      const stop = stringEnd(source, i)
      written.addPart(source, i, stop)
      i = stop - 1
    } else {
      written.add(code)
      if (code === comma || code === colon) written.add(space)
    }
  }
  if (isSpaced) written.add(space)
  written.add(source.charCodeAt(end - 1))
}

/** A text that is being written, by its UTF-16 units: ten times as fast as joining as many short texts. */
class Units {
  #units: Uint16Array
  length = 0

  constructor(expected: number) {
    this.#units = new Uint16Array(expected)
  }

  add(unit: number): void {
    if (this.length === this.#units.length) this.#grow(this.length + 1)
    this.#units[this.length++] = unit
  }

  addPart(text: string, from: number, to: number): void {
    let at = this.length
    this.length += to - from
    if (this.length > this.#units.length) this.#grow(this.length)
    const units = this.#units
    for (let i = from; i < to; i++) units[at++] = text.charCodeAt(i)
  }

  /** In parts of which each fits into the arguments of a call. */
  toString(): string {
    let text = ''
    for (let at = 0; at < this.length; at += 8192) {
      const part = this.#units.subarray(at, Math.min(at + 8192, this.length))
      text += String.fromCharCode.apply(null, part as unknown as number[])
    }
    return text
  }

  #grow(least: number): void {
    const longer = new Uint16Array(Math.max(least, 2 * this.#units.length))
    longer.set(this.#units)
    this.#units = longer
  }
}
