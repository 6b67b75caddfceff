/** The rule for the values of a setting. Every value is a JSON value; the text of an environment variable stands for one. */
export type Rule<T> = {
  /** Completes the sentence "must be …". */
  must: string
  /** The value that the text of an environment variable stands for; undefined if it cannot be parsed. */
  fromText(text: string): unknown
  accepts(value: unknown): value is T
  /** The first wrong part of a value that has parts; null: the error is not in a single part. */
  wrongPart?(value: unknown): WrongPart | null
}

/** A part of a value that is wrong. */
export type WrongPart = {
  /** Its path below the key of the setting: names separated by dots. */
  path: string
  value: unknown
  /** The end of a sentence: "must be …". */
  rule: string
  nearest?: string
}

export function text(must: string, fits: (value: string) => boolean): Rule<string> {
  return { must, fromText: (raw) => raw, accepts: (value): value is string => isText(value) && fits(value) }
}

export function wholeNumber(min: number, max: number): Rule<number> {
  const accepts = (value: unknown): value is number => isNumberWithin(value, min, max) && Number.isInteger(value)
  return { must: `a whole number from ${min} to ${max}`, fromText: numberFromText, accepts }
}

/** Exactly `count` numbers; fractions are allowed. */
export function numbers(options: { count: number; countText: string; min: number; max: number }): Rule<number[]> {
  const { count, countText, min, max } = options
  return {
    must: `exactly ${countText} numbers from ${min} to ${max}`,
    fromText: (raw) => partsOf(raw).map(numberFromText),
    accepts: (value): value is number[] =>
      Array.isArray(value) && value.length === count && value.every((entry) => isNumberWithin(entry, min, max)),
  }
}

export function texts(must: string, fits: (value: string) => boolean): Rule<string[]> {
  return {
    must,
    fromText: partsOf,
    accepts: (value): value is string[] => Array.isArray(value) && value.every((entry) => isText(entry) && fits(entry)),
  }
}

export function oneOf<const T extends string>(...choices: readonly T[]): Rule<T> {
  return {
    must: `one of ${choices.join(', ')}`,
    fromText: (raw) => raw,
    accepts: (value): value is T => choices.some((choice) => choice === value),
  }
}

export const yesOrNo: Rule<boolean> = {
  must: 'true or false',
  fromText: (raw) => ({ true: true, '1': true, false: false, '0': false })[raw],
  accepts: (value): value is boolean => typeof value === 'boolean',
}

/** A port; 0 means any free one or turns the listener off, as the description of the key says. */
export const port = wholeNumber(0, 65_535)

/** A URL of one of these schemes with a host. */
export function isUrl(value: string, schemes: readonly string[]): boolean {
  const url = URL.parse(value)
  return url !== null && schemes.includes(url.protocol.slice(0, -1)) && url.hostname !== ''
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isNumberWithin(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && value >= min && value <= max
}

/** Decimal digits only: `0x10`, `1e3` and the empty text are more likely to be mistakes than numbers. */
function numberFromText(raw: string): number | undefined {
  return /^-?\d+(\.\d+)?$/.test(raw) ? Number(raw) : undefined
}

/** Separated by commas; an empty text is an empty array. */
function partsOf(raw: string): string[] {
  return raw.trim() === '' ? [] : raw.split(',').map((part) => part.trim())
}
