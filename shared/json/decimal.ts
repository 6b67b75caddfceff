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

/** Whether two JSON numbers have the same decimal value, whatever their digits: `1e2` is `100.0`, `1e400` is not `1e401`. */
export function sameNumber(left: string, right: string): boolean {
  const [a, b] = [normalized(left), normalized(right)]
  return a.digits === b.digits && a.negative === b.negative && a.exponent === b.exponent
}

/** Digits without zeros at either end, and the power of ten of the last of them; zero has no digits and no sign. */
function normalized(text: string): { negative: boolean; digits: string; exponent: bigint } {
  const [, sign, whole = '', fraction = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const all = (whole + fraction).replace(/^0+/, '')
  const digits = all.replace(/0+$/, '')
  if (digits === '') return { negative: false, digits, exponent: 0n }
  const zeros = all.length - digits.length
  return { negative: sign === '-', digits, exponent: BigInt(power.replace('+', '')) - BigInt(fraction.length - zeros) }
}
