import { decimalForm } from '#shared/json/decimal.ts'
import { isRawNumber } from '#shared/json/exact.ts'
import { compareTexts } from '../text/compare-texts.ts'
import { isList, isValueObject, kindOf, type RawNumber, type Value, type ValueObject } from './value.ts'

/** Told of how much work was done: a step for each. */
export type Burn = (steps: number) => void

/** How many steps a text of so many characters takes to make or to read. */
export const stepsOf = (characters: number) => Math.ceil(characters / 64)

/** Whether two values are the same: numbers by their decimal value, objects without regard to the order of their keys. */
export function isSame(left: Value, right: Value, burn: Burn): boolean {
  burn(1)
  if (left === right) return true
  if (typeof left === 'string' || typeof right === 'string') return false
  if (isList(left)) return isList(right) && isSameList(left, right, burn)
  if (isRawNumber(left) || isRawNumber(right)) return isSameRaw(left, right, burn)
  return isValueObject(left) && isValueObject(right) && isSameObject(left, right, burn)
}

function isSameList(left: readonly Value[], right: readonly Value[], burn: Burn): boolean {
  return left.length === right.length && left.every((entry, n) => isSame(entry, right[n] ?? null, burn))
}

function isSameObject(left: ValueObject, right: ValueObject, burn: Burn): boolean {
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSame(left[key] ?? null, right[key] ?? null, burn))
  )
}

function isSameRaw(left: Value, right: Value, burn: Burn): boolean {
  if (!isRawNumber(left) || !isRawNumber(right)) return false
  burn(stepsOf(left.rawJSON.length + right.rawJSON.length))
  return decimalForm(left.rawJSON) === decimalForm(right.rawJSON)
}

/** Below 0 when `left` comes first: two numbers, or two texts by code points; null: values that have no order. */
export function compareValues(left: Value, right: Value, burn: Burn): number | null {
  burn(1)
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left === 'string' && typeof right === 'string') {
    burn(stepsOf(Math.min(left.length, right.length)))
    return compareTexts(left, right)
  }
  if (kindOf(left) !== 'number' || kindOf(right) !== 'number') return null
  return compareDecimals(left as number | RawNumber, right as number | RawNumber, burn)
}

function compareDecimals(left: number | RawNumber, right: number | RawNumber, burn: Burn): number | null {
  const [one, other] = [left, right].map((number) => {
    const text = isRawNumber(number) ? number.rawJSON : String(number)
    burn(stepsOf(text.length))
    return decimalOf(text)
  })
  if (!one || !other) return null
  if (one.sign !== other.sign) return one.sign - other.sign
  return one.sign * compareMagnitudes(one, other)
}

type Decimal = { sign: number; digits: string; exponent: bigint }

/** null: its exponent is longer than anybody calculates with. */
function decimalOf(text: string): Decimal | null {
  const [, minus, digits, exponent] = /^(-?)(\d+)e(-?\d+)$/.exec(decimalForm(text)) ?? []
  if (digits === undefined || exponent === undefined) return decimalForm(text) === '0' ? zero : null
  return { sign: minus === '-' ? -1 : 1, digits, exponent: BigInt(exponent) + BigInt(digits.length) }
}

const zero: Decimal = { sign: 0, digits: '', exponent: 0n }

/** Both as a fraction below 1 times a power of ten. */
function compareMagnitudes(one: Decimal, other: Decimal): number {
  if (one.exponent !== other.exponent) return one.exponent < other.exponent ? -1 : 1
  return one.digits < other.digits ? -1 : one.digits > other.digits ? 1 : 0
}
