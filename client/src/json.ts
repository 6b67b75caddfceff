import { brand, isRawNumber } from './brand.ts'

type Shared = {
  /** While something is printed: what stands for a raw text, which takes its place at the end. */
  print?: ((text: string) => string) | undefined
}
/** What all copies of this package share. */
const ofAll = globalThis as { [brand]?: Shared }
ofAll[brand] ??= {}
const shared = ofAll[brand]

/** JSON text that is sent as it is: `recipes.update(soup, { data: new RawJson(text) })`. */
export class RawJson {
  readonly text: string
  /**
   * What `JSON.stringify` asks. As a property of the object it goes along when the object is copied member by member, and
   * `structuredClone` throws instead of leaving a plain object.
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
 * A number that a double cannot hold, as it was written. Sent back, it is the same text. In calculations and comparisons an integer is
 * a `bigint`; any other throws a TypeError.
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
      `${this} would lose digits here. String(…) gives all of them, Number(String(…)) the nearest double.`,
    )
  }
}

const rawJson = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON

function toJSON(this: { readonly text: string }): unknown {
  if (shared.print) return shared.print(this.text)
  const value = parse(this.text)
  if (!(value instanceof RawNumber)) return value
  if (rawJson) return rawJson(value.text)
  throw new TypeError(`JSON.stringify cannot write ${value} in this runtime. "stringify" of listd-client can.`)
}

/** 128 random bits as text, also where `crypto.randomUUID` is missing: on pages without https. */
export function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

let ownMark: string | undefined
/** Begins a text that stands for another; it cannot be foreseen. Some runtimes have no random bits before the first request. */
const markOf = () => (ownMark ??= `${randomId()}:`)

/**
 * `JSON.stringify` that writes each `RawJson` as its text, on every runtime, each `bigint` as the number that it is, and -0 with its sign.
 * @returns undefined for what JSON cannot say
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

/** What may be a number that a double cannot hold, after what stands before numbers. A double holds 15 digits without an exponent. */
const candidates = /(^|[[:,\s])(-?(?:[\d.]+[eE][-+]?\d+|[\d.]{16,}))/g

/**
 * `JSON.parse` that gives a `RawNumber` for each number that would come back from a double as another one. It is linear in the text, and
 * hardly slower than `JSON.parse`; a reviver would be.
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

/** Puts raw numbers in the place of what stands for them; no depth is too deep. */
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

/** Whether the double that is nearest is printed with the same value. */
function isExact(text: string): boolean {
  const printed = String(Number(text))
  return printed === text || decimalOf(printed) === decimalOf(text)
}

/** One text for each value: the digits without zeros around them, and the power of ten of the last one. */
function decimalOf(text: string): string {
  const [, sign, whole = '', fraction = '', exponent = 0] = /^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/i.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return end > 0 ? `${sign}${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}` : ''
}
