import { compareTexts } from '#shared/json/compare-texts.ts'
import { compareDecimals } from '#shared/json/decimal.ts'
import { isEqual } from '#shared/json/equality.ts'
import { isRawNumber } from '#shared/json/exact.ts'
import { kindOf, type RawNumber, type Value } from './value.ts'

/** Told of how much work was done: a step for each. */
export type Burn = (steps: number) => void

/** How many steps a text of so many characters takes to make or to read. */
export const stepsOf = (characters: number) => Math.ceil(characters / 64)

/** Whether two values are the same: numbers by their decimal value, objects without regard to the order of their keys. */
export function isSame(left: Value, right: Value, burn: Burn): boolean {
  return isEqual(left, right, (one, other) => {
    burn(isRawNumber(one) && isRawNumber(other) ? 1 + stepsOf(one.rawJSON.length + other.rawJSON.length) : 1)
  })
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
  const [one, other] = [left, right].map((number) => textOf(number as number | RawNumber))
  if (one === undefined || other === undefined) return null
  burn(stepsOf(one.length) + stepsOf(other.length))
  return compareDecimals(one, other)
}

const textOf = (number: number | RawNumber) => (isRawNumber(number) ? number.rawJSON : String(number))
