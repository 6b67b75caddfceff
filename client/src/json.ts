import { brand, isRawNumber } from './brand.ts'

type Shared = {
  /** During `stringify`: creates the placeholder of a raw text, which is replaced at the end. */
  print?: ((text: string) => string) | undefined
}
/** What all copies of this package share. */
const ofAll = globalThis as { [brand]?: Shared }
ofAll[brand] ??= {}
const shared = ofAll[brand]

/** JSON text that is sent unchanged: `recipes.update(soup, { data: new RawJson(text) })`. */
export class RawJson {
  readonly text: string
  /**
   * Called by `JSON.stringify`. As an own property, it is kept when the object is copied member by member, and `structuredClone` throws
   * instead of creating a plain object.
   */
  readonly toJSON = toJSON

  /** @throws SyntaxError unless the text is JSON */
  constructor(text: string) {
    JSON.parse(text)
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/**
 * A number that a double cannot hold, as its original text, which is also sent back. In calculations and comparisons, an integer acts as a
 * `bigint`; any other number throws a TypeError.
 */
export class RawNumber extends RawJson {
  /** Also those of another copy of this module. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isRawNumber(value)
  }

  /** @throws SyntaxError unless the text is a number of JSON */
  constructor(text: string) {
    super(text)
    if (!/^[-\d]/.test(text)) throw new SyntaxError(`${text} is not a number`)
  }

  get [brand](): true {
    return true
  }

  [Symbol.toPrimitive](hint: string): string | bigint {
    if (hint === 'string') return this.text
    if (/^-?\d+$/.test(this.text)) return BigInt(this.text)
    throw new TypeError(
      `${this} would lose digits here. Use String(…) for all of them, or Number(String(…)) for the nearest double.`,
    )
  }
}

const rawJson = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON

function toJSON(this: { readonly text: string }): unknown {
  if (shared.print) return shared.print(this.text)
  const value = parse(this.text)
  if (!(value instanceof RawNumber)) return value
  if (rawJson) return rawJson(value.text)
  throw new TypeError(`JSON.stringify cannot write ${value} in this runtime. Use "stringify" of listd-client.`)
}

/** 128 random bits as text, also where `crypto.randomUUID` is missing: on pages without https. */
export function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

let ownMark: string | undefined
/** The unpredictable prefix of placeholders. Created lazily, because some runtimes have no random bits before the first request. */
const markOf = () => (ownMark ??= `${randomId()}:`)

/**
 * `JSON.stringify` that writes each `RawJson` as its text, each `bigint` as a number, and -0 with its sign, on every runtime.
 * @returns undefined for values that JSON cannot represent
 */
export function stringify(value: unknown): string | undefined {
  const printed: string[] = []
  const { print: outer } = shared
  const print = (text: string) => markOf() + (printed.push(text) - 1)
  shared.print = print
  try {
    const text = JSON.stringify(value, (_name, one) =>
      typeof one === 'bigint' ? print(String(one)) : Object.is(one, -0) ? print('-0') : one,
    )
    return printed[0] ? text?.replace(RegExp(`"${markOf()}(\\d+)"`, 'g'), (_found, n) => printed[n] as string) : text
  } finally {
    shared.print = outer
  }
}

/** Matches numbers that a double might not hold, with the preceding delimiter. A double holds 15 digits without an exponent. */
const candidates = /(^|[[:,\s])(-?(?:[\d.]+[eE][-+]?\d+|[\d.]{16,}))/g

/**
 * `JSON.parse` that returns a `RawNumber` for each number that a double would change. Linear in the text, and hardly slower than
 * `JSON.parse`; a reviver would be much slower.
 */
export function parse(text: string): unknown {
  const found = new RegExp(candidates)
  const pieces: string[] = []
  let done = 0
  let opening = text.indexOf('"')
  for (let match = found.exec(text); match; match = found.exec(text)) {
    const [, before = '', number = ''] = match
    const start = match.index + before.length
    let end = 0
    while (opening >= 0 && opening < start) {
      end = endOfString(text, opening)
      opening = text.indexOf('"', end)
    }
    if (end > start) found.lastIndex = end
    else if (!isExact(number)) {
      pieces.push(text.slice(done, start), `"${markOf()}${number}"`)
      done = start + number.length
    }
  }
  return done ? withRawNumbers(JSON.parse(pieces.join('') + text.slice(done))) : JSON.parse(text)
}

/** @returns where the text continues after a string */
function endOfString(text: string, opening: number): number {
  let end = opening
  let backslashes: number
  do {
    end = text.indexOf('"', end + 1)
    if (end < 0) return text.length
    backslashes = 0
    while (text[end - backslashes - 1] === '\\') backslashes++
  } while (backslashes % 2 > 0)
  return end + 1
}

/** Replaces placeholders by raw numbers, at any depth. */
function withRawNumbers(value: unknown): unknown {
  const mark = markOf()
  const root: Record<string, unknown> = { value }
  const parents = [root]
  for (let parent = parents.pop(); parent; parent = parents.pop()) {
    // An own property: also `__proto__` is set as one.
    for (const name of Object.keys(parent)) {
      const one = parent[name]
      if (typeof one === 'string' && one.startsWith(mark)) parent[name] = new RawNumber(one.slice(mark.length))
      else if (typeof one === 'object' && one) parents.push(one as Record<string, unknown>)
    }
  }
  return root.value
}

/** Whether the nearest double prints as the same value. */
function isExact(text: string): boolean {
  const printed = String(Number(text))
  return printed === text || decimalOf(printed) === decimalOf(text)
}

/** The normal form of a number: the digits without surrounding zeros, and the power of ten of the last digit. */
function decimalOf(text: string): string {
  const [, sign, whole = '', fraction = '', exponent = 0] = /^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/i.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return end > 0 ? `${sign}${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}` : ''
}
