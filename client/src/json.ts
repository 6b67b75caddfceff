/** JSON text that is sent as it is: `recipes.update(soup, { data: new RawJson(text) })`. */
export class RawJson {
  readonly text: string

  /** @throws SyntaxError unless the text is JSON */
  constructor(text: string) {
    JSON.parse(text)
    this.text = text
  }

  toString(): string {
    return this.text
  }

  /** What `JSON.stringify` writes: the value, whose big numbers are their text if the runtime can write a number as text. */
  toJSON(): unknown {
    return texts ? mark + (texts.push(this.text) - 1) : parseLossless(this.text)
  }
}

/** A number that a double cannot hold, as it was written. Sent back, it is the same text. */
export class RawNumber extends RawJson {
  /** @throws SyntaxError unless the text is a number of JSON */
  constructor(text: string) {
    super(text)
    if (!/^[-\d]/.test(text)) throw new SyntaxError(`${text} is not a number`)
  }

  /** The nearest double. */
  override valueOf(): number {
    return Number(this.text)
  }

  /** What `JSON.stringify` writes: the text, or the nearest double where the runtime cannot write a number as text. */
  override toJSON(): unknown {
    if (texts) return super.toJSON()
    return rawJson ? rawJson(this.text) : this.valueOf()
  }
}

const rawJson = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON

/** Begins a text that stands for another; nobody can foresee it. */
const mark = `${randomId()}:`
const marked = new RegExp(`"${mark}(\\d+)"`, 'g')
/** While something is printed: what stands for raw texts is replaced by them at the end. */
let texts: string[] | null = null

/** 128 random bits as text, also where `crypto.randomUUID` is missing: on pages without https. */
export function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** `JSON.stringify` that writes each `RawJson` as its text, on every runtime. */
export function stringify(value: unknown): string | undefined {
  const printed: string[] = []
  texts = printed
  try {
    return JSON.stringify(value)?.replace(marked, (_found, n) => printed[n] as string)
  } finally {
    texts = null
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
