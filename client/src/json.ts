/** A number that a double cannot hold, as it was written. Sent back, it is the same text. */
export class RawNumber {
  readonly text: string

  /** @throws SyntaxError unless the text is a number of JSON */
  constructor(text: string) {
    if (typeof JSON.parse(text) !== 'number') throw new SyntaxError(`${text} is not a number`)
    this.text = text
  }

  toString(): string {
    return this.text
  }

  /** The nearest double. */
  valueOf(): number {
    return Number(this.text)
  }

  /** What `JSON.stringify` writes: the text, or the nearest double where the runtime cannot write a number as text. */
  toJSON(): unknown {
    if (isPrinting) return mark + this.text
    return rawJson ? rawJson(this.text) : this.valueOf()
  }
}

const rawJson = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON

/** Begins a text that stands for a number; nobody can foresee it. */
const mark = `${randomId()}:`
const marked = new RegExp(`"${mark}([^"]+)"`, 'g')
let isPrinting = false

/** 128 random bits as text, also where `crypto.randomUUID` is missing: on pages without https. */
export function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** `JSON.stringify` that writes each `RawNumber` as its text, on every runtime. */
export function stringify(value: unknown): string | undefined {
  isPrinting = true
  try {
    return JSON.stringify(value)?.replace(marked, '$1')
  } finally {
    isPrinting = false
  }
}

/** Where strings begin and end, what may stand before a quote in one, and numbers. */
const tokens = /"|\\.|-?\d[\d.eE+-]*/g

/** `JSON.parse` that gives a `RawNumber` for each number that would come back from a double as another one. */
export function parseLossless(text: string): unknown {
  let inString = false
  const marking = text.replace(tokens, (found) => {
    if (found === '"') inString = !inString
    return inString || !/\d$/.test(found) || isExact(found) ? found : `"${mark}${found}"`
  })
  if (marking === text) return JSON.parse(text)
  return JSON.parse(marking, (_key, value) =>
    typeof value === 'string' && value.startsWith(mark) ? new RawNumber(value.slice(mark.length)) : value,
  )
}

/** Whether the double that is nearest is printed with the same value. */
function isExact(text: string): boolean {
  return text.length < 16 && !/e/i.test(text) ? true : decimalOf(text) === decimalOf(String(Number(text)))
}

/** One text for each value: the digits without zeros around them, and the power of ten of the last one. */
function decimalOf(text: string): string {
  const [, sign, whole = '', fraction = '', exponent = 0] = /^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/i.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const trimmed = digits.replace(/0+$/, '')
  return trimmed && `${sign}${trimmed}e${Number(exponent) - fraction.length + digits.length - trimmed.length}`
}
