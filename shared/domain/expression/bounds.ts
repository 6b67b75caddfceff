import { isRawNumber } from '#shared/json/exact.ts'
import { isPair } from './characters.ts'
import { extraOfMembers, stepsOf } from './steps.ts'
import { isList, type Value, type ValueObject } from './value.ts'

/** Bytes of a value as compact JSON in UTF-8. */
export const maxValueBytes = 1024 * 1024
/** How deep a value nests. */
export const maxValueDepth = 200

/** The error message for a value that nests deeper. */
export const tooDeep = `nests deeper than ${maxValueDepth} levels`

/** Measures the values of one run. The size of a long list or object is computed once, and cached while the value is in use. */
export class Measures {
  /** The cost of reading values, in steps. It does not count as work of an expression. */
  work = 0
  readonly #known: Known = new WeakMap()

  /** The bound that a value exceeds, as the end of a sentence; null: none. */
  excessOf(value: Value): string | null {
    const { bytes, isTooDeep } = this.#read(value, maxValueBytes)
    if (isTooDeep) return tooDeep
    return bytes > maxValueBytes ? 'is longer than 1 MiB' : null
  }

  /** Whether a value has at most `maxBytes` bytes. The value must be within its bounds. */
  isWithin(value: Value, maxBytes: number): boolean {
    return this.#read(value, maxBytes).bytes <= maxBytes
  }

  #read(value: Value, maxBytes: number): Reading {
    const reading = new Reading(maxBytes, this.#known)
    reading.add(value, 0)
    this.work += reading.steps
    return reading
  }
}

type Known = WeakMap<object, { bytes: number; levels: number }>

/** The minimum bytes of a list or an object whose size is cached. */
const manyBytes = 4 * 1024

/** Reads a value only until it is certainly too long or too deep. */
class Reading {
  bytes = 0
  isTooDeep = false
  readonly #maxBytes: number
  readonly #known: Known
  /** The bytes that need not be read. */
  #knownBytes = 0
  #extraSteps = 0

  constructor(maxBytes: number, known: Known) {
    this.#maxBytes = maxBytes
    this.#known = known
  }

  get steps(): number {
    return this.#extraSteps + stepsOf(Math.max(0, Math.min(this.bytes, this.#maxBytes) - this.#knownBytes))
  }

  /** @returns the number of levels that it nests, if it was read to its end */
  add(value: Value, depth: number): number {
    if (typeof value === 'number') this.bytes += isDigit(value) ? 1 : String(value).length
    else if (typeof value === 'string') this.#addText(value)
    else if (value === null || typeof value !== 'object') this.bytes += String(value).length
    else if (isRawNumber(value)) this.bytes += value.rawJSON.length
    else return this.#addInside(value as readonly Value[] | ValueObject, depth)
    return 0
  }

  #addInside(value: readonly Value[] | ValueObject, depth: number): number {
    const known = this.#known.get(value)
    if (depth + (known?.levels ?? 1) > maxValueDepth) this.isTooDeep = true
    if (this.#isDone) return 0
    if (known) {
      this.bytes += known.bytes
      this.#knownBytes += known.bytes
      return known.levels
    }
    const before = this.bytes
    const levels = 1 + (isList(value) ? this.#addElements(value, depth + 1) : this.#addMembers(value, depth + 1))
    const bytes = this.bytes - before
    if (bytes >= manyBytes && !this.#isDone) this.#known.set(value, { bytes, levels })
    return levels
  }

  #addElements(list: readonly Value[], depth: number): number {
    this.bytes += 1 + Math.max(1, list.length)
    let levels = 0
    for (const element of list) {
      if (this.#isDone) break
      levels = Math.max(levels, this.add(element, depth))
    }
    return levels
  }

  #addMembers(object: ValueObject, depth: number): number {
    const keys = Object.keys(object)
    this.bytes += 1 + Math.max(1, keys.length)
    this.#extraSteps += extraOfMembers(keys.length)
    let levels = 0
    for (const key of keys) {
      if (this.#isDone) break
      this.#addText(key)
      this.bytes += 1
      levels = Math.max(levels, this.add(object[key] ?? null, depth))
    }
    return levels
  }

  /** Adds a text in quotes. A text with more characters than fit is not read. */
  #addText(text: string): void {
    const isLonger = text.length > this.#maxBytes - this.bytes
    this.bytes += 2 + (isLonger ? text.length : bytesOf(text))
  }

  get #isDone(): boolean {
    return this.isTooDeep || this.bytes > this.#maxBytes
  }
}

const isDigit = (number: number) => number >= 0 && number < 10 && Number.isInteger(number)

function bytesOf(text: string): number {
  let bytes = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22 || unit === 0x5c) bytes += 2
    else if (unit < 0x20) bytes += shortEscapes.has(unit) ? 2 : 6
    else if (unit < 0x80) bytes += 1
    else if (unit < 0x800) bytes += 2
    else if ((unit & 0xf800) !== 0xd800) bytes += 3
    else if (isPair(text, at)) {
      bytes += 4
      at++
    } else bytes += 6 // an escape
  }
  return bytes
}

const shortEscapes = new Set([8, 9, 10, 12, 13])
