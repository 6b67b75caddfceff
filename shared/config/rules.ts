/** What the value of a setting must be. Every value is a JSON value; an environment variable is text that stands for one. */
export type Rule<T> = {
  /** Completes the sentence "must be …". */
  must: string
  /** The value an environment variable stands for; undefined when the text stands for none. */
  fromText(text: string): unknown
  accepts(value: unknown): value is T
}

export function text(must: string, fits: (value: string) => boolean): Rule<string> {
  return { must, fromText: (given) => given, accepts: (value): value is string => isText(value) && fits(value) }
}

export function wholeNumber(min: number, max: number): Rule<number> {
  const accepts = (value: unknown): value is number => isNumberWithin(value, min, max) && Number.isInteger(value)
  return { must: `a whole number from ${min} to ${max}`, fromText: numberFromText, accepts }
}

/** @param fixed exactly so many numbers, fractions allowed */
export function numbers(fixed: { count: number; countText: string; min: number; max: number }): Rule<number[]> {
  const { count, countText, min, max } = fixed
  return {
    must: `exactly ${countText} numbers from ${min} to ${max}`,
    fromText: (given) => partsOf(given).map(numberFromText),
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
    fromText: (given) => given,
    accepts: (value): value is T => choices.some((choice) => choice === value),
  }
}

export const yesOrNo: Rule<boolean> = {
  must: 'true or false',
  fromText: (given) => ({ true: true, '1': true, false: false, '0': false })[given],
  accepts: (value): value is boolean => typeof value === 'boolean',
}

/** A port; 0 takes any free one or turns the listener off, as the key's sentence says. */
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

/** Decimal digits only: `0x10`, `1e3` and the empty text are more likely slips than numbers. */
function numberFromText(given: string): number | undefined {
  return /^-?\d+(\.\d+)?$/.test(given) ? Number(given) : undefined
}

/** Comma separated; the empty text is the empty array. */
function partsOf(given: string): string[] {
  return given.trim() === '' ? [] : given.split(',').map((part) => part.trim())
}
