/**
 * Whether a number is a multiple of another in decimal arithmetic: 19.99 is one of 0.01, although dividing doubles gives
 * 1998.9999999999998. Each number is its shortest decimal. ±Infinity, which a number beyond a double's range was parsed to,
 * is a multiple of nothing.
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  if (!Number.isFinite(value) || !Number.isFinite(divisor)) return false
  const [a, b] = [decimalOf(value), decimalOf(divisor)]
  const exponent = Math.min(a.exponent, b.exponent)
  return scaled(a, exponent) % scaled(b, exponent) === 0n
}

type Decimal = { digits: bigint; exponent: number }

/** `1.25e+21` is 125 × 10^19. */
function decimalOf(value: number): Decimal {
  const [mantissa = '0', power = '0'] = value.toExponential().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length }
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to)
}

/**
 * The decimal value of a JSON number in one form, so that two numbers are equal when their forms are: `1e2` and `100.0` have
 * the same, `1e400` and `1e401` have not. Linear in the text, whatever its digits: a number whose exponent has more than a
 * thousand of them, with which an engine calculates for seconds, has the form of its text.
 */
export function decimalForm(text: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] = numberParts.exec(text) ?? []
  const all = whole + fraction
  let start = 0
  let end = all.length
  while (all[start] === '0') start++
  while (end > start && all[end - 1] === '0') end--
  if (start === end) return '0'
  if (power.length > maxExponentLength) return text
  const exponent = BigInt(power.replace('+', '')) + BigInt(whole.length - end)
  return `${sign}${all.slice(start, end)}e${exponent}`
}

/**
 * Below zero when the decimal value of the first JSON number is less than that of the second, above when it is greater. Linear in the
 * texts. Numbers whose exponent has more than a thousand digits are compared as doubles.
 */
export function compareDecimals(left: string, right: string): number {
  const [one, other] = [decimalForm(left), decimalForm(right)]
  if (one === other) return 0
  const [a, b] = [partsOf(one), partsOf(other)]
  if (!a || !b) return compareDoubles(Number(left), Number(right))
  if (a.sign !== b.sign) return a.sign - b.sign
  return a.sign * compareMagnitudes(a, b)
}

/**
 * Whether a JSON number is a multiple of another, by their decimal values. Numbers whose exponent has more than a thousand digits are
 * compared as doubles.
 * @param spend called with the work before it is done, in units of at most 250 ns, and may throw: many digits take long to be divided
 */
export function isDecimalMultiple(value: string, divisor: string, spend: (units: number) => void): boolean {
  const [a, b] = [partsOf(decimalForm(value)), partsOf(decimalForm(divisor))]
  if (!a || !b) return isMultipleOf(Number(value), Number(divisor))
  if (a.sign === 0 || b.sign === 0) return a.sign === 0 && b.sign !== 0
  // A form has no zero at its end, so that ten divides none of its digits.
  if (a.exponent < b.exponent) return false
  const exponent = a.exponent - b.exponent
  const digits = b.digits.length
  spend((a.digits.length / chunk + 1) * (1 + digits / 50))
  spend(exponent.toString(2).length * (1 + digits ** 2 / 20_000))
  const modulus = BigInt(b.digits)
  let rest = 0n
  for (let at = 0; at < a.digits.length; at += chunk) {
    const part = a.digits.slice(at, at + chunk)
    rest = (rest * 10n ** BigInt(part.length) + BigInt(part)) % modulus
  }
  return (rest * powerOfTen(exponent, modulus)) % modulus === 0n
}

/** Digits that are divided at once. */
const chunk = 500

function powerOfTen(exponent: bigint, modulus: bigint): bigint {
  let [power, base] = [1n, 10n % modulus]
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) power = (power * base) % modulus
    base = (base * base) % modulus
  }
  return power
}

type Parts = { sign: number; digits: string; exponent: bigint }

/** The parts of a form; null: it is the text of a number whose exponent is too long. */
function partsOf(form: string): Parts | null {
  const [, sign, digits = '', exponent = '0'] = /^(-?)(\d+)(?:e(-?\d{1,1000}))?$/.exec(form) ?? []
  if (sign === undefined) return null
  return { sign: digits === '0' ? 0 : sign === '-' ? -1 : 1, digits, exponent: BigInt(exponent) }
}

function compareMagnitudes(a: Parts, b: Parts): number {
  const [high, otherHigh] = [a.exponent + BigInt(a.digits.length), b.exponent + BigInt(b.digits.length)]
  if (high !== otherHigh) return high < otherHigh ? -1 : 1
  // With the same highest place, digits are compared from there on; a form has no zero at its end.
  return a.digits < b.digits ? -1 : 1
}

function compareDoubles(left: number, right: number): number {
  return left < right ? -1 : left > right ? 1 : 0
}

const maxExponentLength = 1_000
const numberParts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
